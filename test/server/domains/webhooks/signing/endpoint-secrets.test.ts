import { expect, test } from "vitest";
import { Secrets } from "#server/domains/secrets/service.ts";
import { EndpointSecrets } from "#server/domains/webhooks/signing/endpoint-secrets.ts";
import { newSigningPair } from "#server/domains/webhooks/signing/signature.ts";

const secrets = new EndpointSecrets(new Secrets(new Uint8Array(32)));
const key = { id: "e1", workspace_id: "w" };
const now = new Date("2026-11-27T08:00:00Z");
const pair = newSigningPair();
const former = newSigningPair();
const sealed = secrets.sealed(key, pair);
const rotated = secrets.sealed(key, former);

function row(formerUntil: string | null) {
  return {
    ...key,
    ...sealed,
    former_secret: rotated.secret,
    former_signing_key: rotated.signing_key,
    former_until: formerUntil,
  };
}

test("the sealed columns show no secret", () => {
  expect(JSON.stringify(sealed)).not.toContain(pair.secret);
  expect(JSON.stringify(sealed)).not.toContain(pair.signingKey);
});

test("the former pair signs too until the end of its grace", () => {
  const secretsAt = (until: string | null) =>
    secrets.pairs(row(until), now).map(({ secret }) => secret);
  expect(secretsAt("2026-11-27T08:00:01.000Z")).toEqual([pair.secret, former.secret]);
  expect(secretsAt("2026-11-27T08:00:00.000Z")).toEqual([pair.secret]);
  expect(secretsAt(null)).toEqual([pair.secret]);
});

test("columns that were moved to another endpoint do not open", () => {
  expect(() => secrets.pairs({ ...row(null), id: "e2" }, now)).toThrow();
});

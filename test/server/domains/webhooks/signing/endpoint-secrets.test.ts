import { expect, test } from "vitest";
import { Secrets } from "#server/domains/secrets/service.ts";
import {
  EndpointSecrets,
  formerColumns,
} from "#server/domains/webhooks/signing/endpoint-secrets.ts";
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
    earlier_pairs: null as string | null,
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

test("a pair before the former one signs, unless the previous build has rotated since", () => {
  const until = "2026-11-27T09:00:00.000Z";
  const next = newSigningPair();
  const before = row(until);
  const after = {
    ...before,
    ...formerColumns(before, now, "2026-11-27T08:30:00.000Z"),
    ...secrets.sealed(key, next),
  };
  const signing = (each: typeof after) => secrets.pairs(each, now).map(({ secret }) => secret);
  expect(signing(after)).toEqual([next.secret, pair.secret, former.secret]);
  const { secret, signing_key: signingKey } = secrets.sealed(key, newSigningPair());
  const rotatedByPrevious = { ...after, former_secret: secret, former_signing_key: signingKey };
  expect(signing(rotatedByPrevious)).toHaveLength(2);
  expect(signing({ ...after, former_secret: null, former_signing_key: null })).toEqual([
    next.secret,
  ]);
});

test("columns that were moved to another endpoint do not open", () => {
  expect(() => secrets.pairs({ ...row(null), id: "e2" }, now)).toThrow();
});

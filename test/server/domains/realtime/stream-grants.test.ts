import { expect, test } from "vitest";
import { StreamGrants } from "#server/domains/realtime/stream-grants.ts";
import { Secrets } from "#server/domains/secrets/service.ts";

const secrets = new Secrets(new Uint8Array(32));
const given = { token: "token", workspaceId: "one", filter: "[]" };

test("opens for five minutes, with what it was granted for", () => {
  let now = new Date("2026-11-27T07:00:00Z");
  const grants = new StreamGrants({ secrets, now: () => now });
  const { accessToken, expiresAt } = grants.make(given);
  expect(expiresAt).toBe("2026-11-27T07:05:00.000Z");
  expect(accessToken).not.toContain("token");
  expect(grants.open(accessToken)).toMatchObject(given);
  const search = `access_token=${encodeURIComponent(accessToken)}`;
  expect(grants.tokenOf("realtime.events", search)).toBe("token");
  expect(grants.tokenOf("resources.list", search)).toBeUndefined();
  now = new Date("2026-11-27T07:05:00Z");
  expect(() => grants.open(accessToken)).toThrow(
    expect.objectContaining({ code: "token-expired" }),
  );
});

test("is refused if it was changed, or sealed for something else", () => {
  const grants = new StreamGrants({ secrets, now: () => new Date() });
  const { accessToken } = grants.make(given);
  const sealed = secrets.seal("totp one", JSON.stringify({ ...given, endsAtMs: Infinity }));
  for (const token of ["", "x", `${accessToken}x`, accessToken.slice(0, -4), sealed]) {
    expect(() => grants.open(token)).toThrow(expect.objectContaining({ code: "token-invalid" }));
  }
});

import { expect, test } from "vitest";
import { rotateSigningKey } from "#server/platform/maintenance/token.ts";
import { caller, describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const day = 24 * 60 * 60 * 1000;
const minute = 60_000;

async function publishedIds(the: TestPlatform): Promise<unknown[]> {
  const { json } = await the.as("nobody").get("/auth/jwks.json");
  return (field(json, "keys") as object[]).map((key) => field(key, "kid"));
}

async function tokenOf(the: TestPlatform, ttlMs = 20 * day) {
  const { token } = await the.platform.mintToken({ ttlMs });
  const header: unknown = JSON.parse(
    Buffer.from(token.split(".")[0] ?? "", "base64url").toString(),
  );
  const call = caller((request) => the.platform.fetch(request), token);
  const status = async () => (await call.get("/v4/identity/me")).status;
  return { kid: field(header, "kid"), status };
}

const keysOf = (the: TestPlatform) => the.platform.services.tokens.keys;

describePlatform("a rotation of the signing key", (the) => {
  test("is published first, then signs, and signs no user out", async () => {
    const before = await tokenOf(the());
    const rotated = await keysOf(the()).rotate();
    expect(rotated.previousKid).toBe(before.kid);
    expect(await publishedIds(the())).toEqual([rotated.kid, before.kid]);
    expect((await tokenOf(the())).kid).toBe(before.kid);
    // A second call takes the key that waits.
    expect(await keysOf(the()).rotate()).toEqual(rotated);
    the().advance(11 * minute);
    const after = await tokenOf(the());
    expect(after.kid).toBe(rotated.kid);
    expect([await before.status(), await after.status()]).toEqual([200, 200]);
  });

  test("keeps the old key until its longest token has expired", async () => {
    const before = await tokenOf(the());
    const { kid } = await keysOf(the()).rotate({ atOnce: true });
    const always = 1000 * day;
    the().advance(2 * minute);
    await keysOf(the()).maintain(always);
    expect(await publishedIds(the())).toContain(before.kid);
    expect(await before.status()).toBe(200);
    the().advance(19 * day);
    await keysOf(the()).maintain(always);
    expect(await before.status()).toBe(200);
    the().advance(12 * day);
    await keysOf(the()).maintain(always);
    expect(await publishedIds(the())).toEqual([kid]);
    expect((await tokenOf(the())).kid).toBe(kid);
  });

  test("happens by age, and not before", async () => {
    const [first] = await publishedIds(the());
    await keysOf(the()).maintain(90 * day);
    expect((await publishedIds(the()))[0]).toBe(first);
    the().advance(91 * day);
    await keysOf(the()).maintain(90 * day);
    await keysOf(the()).maintain(90 * day);
    const [next, ...others] = await publishedIds(the());
    expect(next).not.toBe(first);
    expect(others).toContain(first);
  });

  test("by another process is followed", async () => {
    const { dataDirectory, databaseUrl } = the();
    const rotated = await rotateSigningKey({
      dataDirectory,
      databaseUrl,
      keyFile: `${dataDirectory}/svc.key`,
      atOnce: true,
      now: () => the().now(),
    });
    the().advance(minute);
    const after = await tokenOf(the());
    expect(after.kid).toBe(rotated.kid);
    expect(await after.status()).toBe(200);
  });
});

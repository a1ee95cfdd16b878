import { expect, test } from "vitest";
import { testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { describeSeveralPlatforms } from "#test/support/several-platforms.ts";
import { authorizeAddress, FormBrowser, type Visited } from "./form-browser.ts";

const password = "correct horse battery staple";

describeSeveralPlatforms("guessing passwords", 3, (all) => {
  const attempt = async (the: TestPlatform, email: string, tried: string): Promise<Visited> => {
    const browser = new FormBrowser(testBaseUrl, (request) => the.platform.fetch(request));
    await browser.visit(authorizeAddress());
    return browser.press("sign-in", { email, password: tried });
  };
  const platform = (at: number): TestPlatform => {
    const the = all()[at % all().length];
    if (the === undefined) throw new Error("no platform runs");
    return the;
  };

  test("is slowed down by the attempts on all of them", async () => {
    const { oid } = platform(0).users["tenant-admin"];
    await platform(0).platform.services.signIn.setPassword(oid, password);
    const who = "tenant-admin@example.org";
    const guess = async (at: number) => (await attempt(platform(at), who, `guess ${at}`)).status;
    for (let n = 0; n < 5; n += 1) expect(await guess(n)).toBe(401);
    for (const waitMs of [1_001, 2_001]) {
      for (const the of all()) the.advance(waitMs);
      expect(await guess(waitMs)).toBe(401);
    }
    for (let at = 0; at < 3; at += 1) expect(await guess(at)).toBe(429);
    // The right password waits, too, and another account does not.
    expect((await attempt(platform(1), who, password)).status).toBe(429);
    expect((await attempt(platform(1), "tenant-builder@example.org", "x")).status).toBe(401);
    for (const the of all()) the.advance(4_001);
    expect((await attempt(platform(2), who, password)).status).toBe(303);
    expect((await attempt(platform(0), who, "guess")).status).toBe(401);
  });

  test("in parallel finds no password after too many failures", async () => {
    const { oid } = platform(0).users["tenant-staff"];
    await platform(0).platform.services.signIn.setPassword(oid, password);
    const who = "tenant-staff@example.org";
    const guesses = Array.from({ length: 30 }, (_, n) => attempt(platform(n), who, `guess ${n}`));
    const answers = await Promise.all(guesses);
    // Each platform begins at most five checks before it knows of the others' failures.
    const tried = answers.filter(({ status }) => status === 401).length;
    expect(tried).toBeLessThanOrEqual(15);
    for (const the of all()) expect((await attempt(the, who, password)).status).toBe(429);
  });

  test("of an app's codes is slowed down by the attempts on all of them", async () => {
    const { oid } = platform(0).users["tenant-viewer"];
    const factorsOf = (the: TestPlatform) => the.platform.services.factors;
    const work = (the: TestPlatform) => the.platform.platformWork("codes of a test");
    const guess = async (at: number) =>
      (await factorsOf(platform(at)).useCode(work(platform(at)), oid, "000000")).waitMs;
    for (let n = 0; n < 5; n += 1) expect(await guess(n)).toBe(0);
    for (let at = 0; at < 3; at += 1) expect(await guess(at)).toBeGreaterThan(0);
  });
});

import { describe, expect, test } from "vitest";
import { updateUser, userByEmail } from "#server/domains/identity/service.ts";
import { wholeOf } from "#test/support/databases.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { describePlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { testWorks } from "#test/support/work.ts";
import { invite as inviteTo } from "../members/world.ts";
import { authorizeAddress, FormBrowser } from "./form-browser.ts";

const password = "correct horse battery staple";

/** Gives the account of this address, made if it is missing, a one-time password for seven days. */
async function oneTimePasswordFor(the: TestPlatform, email: string): Promise<string> {
  const oneTime = `once-${crypto.randomUUID()}`;
  const { now } = the;
  const hash = await the.platform.services.signIn.passwords.hash(oneTime, email);
  const database = wholeOf(
    await openPlatformDatabase({ url: the.databaseUrl, isExclusive: false, now }),
  );
  try {
    if ((await userByEmail(database.read, email)) === undefined) {
      const secret = await inviteTo(the, the.workspaces.tenant, { email });
      await the.platform.services.invitations.admit(secret);
    }
    await testWorks(database).work.write(async (tx) => {
      const user = await userByEmail(tx, email);
      await updateUser(tx, user?.oid ?? "", {
        password_hash: hash,
        password_state: "one-time",
        password_expires_at: new Date(now().getTime() + 7 * 24 * 60 * 60 * 1000).toISOString(),
      });
    });
  } finally {
    await database.close();
  }
  return oneTime;
}

describePlatform("a one-time password", (the) => {
  const newBrowser = (): FormBrowser =>
    new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));

  describe("with a one-time password", () => {
    const invite = (who: string): Promise<string> => oneTimePasswordFor(the(), who);
    const shown = async (who: string, oneTime: string): Promise<FormBrowser> => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      await browser.press("sign-in", { email: who, password: oneTime });
      return browser;
    };
    const choose = (browser: FormBrowser, first: string, second = first) =>
      browser.press("choose-password", { "new-password": first, "repeated-password": second });

    test("must be replaced; then only the new password signs in", async () => {
      const who = "first@example.org";
      const oneTime = await invite(who);
      const browser = await shown(who, oneTime);
      expect(browser.page.title).toBe("Choose a password");
      expect(browser.page.html).not.toContain(oneTime);
      const { left } = await choose(browser, "a password that I chose");
      expect(left?.searchParams.get("code")).toBeTruthy();
      expect((await shown(who, oneTime)).page.status).toBe(401);
      expect((await shown(who, "a password that I chose")).page.status).toBe(303);
    });

    test.each([
      ["short", "short", "at least 12 characters"],
      ["a password that I chose", "another that I chose", "not the same"],
      ["third@example.org", "third@example.org", "not your e-mail address"],
      ["aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "more different characters"],
      ["x".repeat(200) + "abcdef".repeat(20), undefined, "at most 256 characters"],
    ])("cannot be replaced by %j", async (first, second, fault) => {
      const who = "third@example.org";
      const browser = await shown(who, await invite(who));
      const page = await choose(browser, first, second);
      expect(page.status).toBe(422);
      expect(page.text).toContain(fault);
    });

    test("cannot be replaced by itself", async () => {
      const who = "fourth@example.org";
      const oneTime = await invite(who);
      const page = await choose(await shown(who, oneTime), oneTime);
      expect(page.text).toContain("a password that is not the one-time password");
    });

    test("must be entered before another can be chosen", async () => {
      const who = "fifth@example.org";
      const browser = await shown(who, await invite(who));
      const ticket = browser.page.forms[0]?.hidden["ticket"] ?? "";
      const [oid, end, mac] = ticket.split(".");
      const { oid: other } = the().users["tenant-admin"];
      for (const forged of ["", `${other}.${end}.${mac}`, `${oid}.9999999999999.${mac}`]) {
        const page = await browser.press("choose-password", {
          ticket: forged,
          "new-password": "a password that I chose",
          "repeated-password": "a password that I chose",
        });
        expect(page.status).toBe(401);
        await browser.visit(authorizeAddress());
        await browser.press("sign-in", { email: who, password: await invite(who) });
      }
    });

    test("is valid until its end", async () => {
      const who = "sixth@example.org";
      const oneTime = await invite(who);
      the().advance(7 * 24 * 60 * 60 * 1000 - 60_000);
      expect((await shown(who, oneTime)).page.title).toBe("Choose a password");
      the().advance(60_001);
      expect((await shown(who, oneTime)).page.status).toBe(401);
    });
  });
});

describePlatform("guessing passwords", (the) => {
  const attempt = async (email: string, tried: string) => {
    const browser = new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));
    await browser.visit(authorizeAddress());
    return browser.press("sign-in", { email, password: tried });
  };

  test("is delayed more and more after five attempts, also with the right password", async () => {
    const { signIn } = the().platform.services;
    await signIn.setPassword(the().users["tenant-admin"].oid, password);
    const who = "tenant-admin@example.org";
    for (let n = 0; n < 5; n += 1) expect((await attempt(who, `guess ${n}`)).status).toBe(401);
    const slowed = await attempt(who, password);
    expect(slowed.status).toBe(429);
    expect(slowed.headers.get("retry-after")).toBe("1");
    expect(slowed.text).toContain("Too many wrong passwords. Wait 1 s");
    the().advance(1_001);
    expect((await attempt(who, "guess 6")).status).toBe(401);
    expect((await attempt(who, password)).headers.get("retry-after")).toBe("2");
    the().advance(2_001);
    expect((await attempt(who, password)).status).toBe(303);
    expect((await attempt(who, "guess 7")).status).toBe(401);
  });

  test("for one account does not delay another account", async () => {
    for (let n = 0; n < 7; n += 1) await attempt("tenant-builder@example.org", `guess ${n}`);
    expect((await attempt("tenant-builder@example.org", "x")).status).toBe(429);
    expect((await attempt("tenant-admin@example.org", password)).status).toBe(303);
  });

  test("in parallel is counted before each check", async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => attempt("tenant-viewer@example.org", `guess ${n}`)),
    );
    expect(all.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
  });
});

describePlatform(
  "the rate of sign-in requests",
  (the) => {
    test("is limited per network address", async () => {
      const ask = () =>
        the().platform.fetch(
          new Request(`${testBaseUrl}/auth/oauth2/v2.0/token`, {
            method: "POST",
            headers: { host: new URL(testBaseUrl).host },
            body: new URLSearchParams({ client_id: "svc" }),
          }),
          { address: "192.0.2.7" },
        );
      for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(400);
      const refused = await ask();
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("60");
      expect(refused.headers.get("ratelimit-policy")).toBe('"sign-in";q=3;w=60');
    });
  },
  { limits: { signInRequests: 3, signInWindowSeconds: 60 } },
);

describePlatform(
  "the rate of requests",
  (the) => {
    test("is limited per caller", async () => {
      const ask = () => the().as("tenant-staff").get("/v4/identity/me");
      for (let n = 0; n < 19; n += 1) await ask();
      const last = await ask();
      expect(last.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
      const refused = await ask();
      expect(refused.json).toMatchObject({ status: 429, code: "rate-limited", retryable: true });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await the().as("tenant-viewer").get("/v4/identity/me")).status).toBe(200);
    });
  },
  { limits: { rateRequests: 20, rateWindowSeconds: 600 } },
);

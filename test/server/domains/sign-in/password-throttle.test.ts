import { expect, test } from "vitest";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";
import { authorizeAddress, FormBrowser } from "./form-browser.ts";

const password = "correct horse battery staple";

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

  test("does not delay many sign-ins at once with the right password", async () => {
    const { signIn } = the().platform.services;
    await signIn.setPassword(the().users["tenant-staff"].oid, password);
    const attempts = Array.from({ length: 12 }, () =>
      attempt("tenant-staff@example.org", password),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([303]));
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
    test("is limited per network address, of IPv6 per network of 64 bits", async () => {
      const ask = (address = "192.0.2.7") =>
        the().platform.fetch(
          new Request(`${testBaseUrl}/auth/oauth2/v2.0/token`, {
            method: "POST",
            headers: { host: new URL(testBaseUrl).host },
            body: new URLSearchParams({ client_id: "svc" }),
          }),
          { address },
        );
      for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(400);
      const refused = await ask();
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("60");
      expect(refused.headers.get("ratelimit-policy")).toBe('"sign-in";q=3;w=60');
      for (let n = 1; n < 4; n += 1) await ask(`2001:db8::7:0:0:${n}`);
      expect((await ask("2001:db8:0:0:8::9")).status).toBe(429);
      expect((await ask("2001:db8:0:1::9")).status).toBe(400);
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

import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type Served } from "#server/serve.ts";
import { createTestPlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { FormBrowser } from "./form-browser.ts";
import { client, redirectUri, scope, StrictClient, type Fetch } from "./strict-client.ts";

const password = "correct horse battery staple";

/** Signs in on the page and returns the redirect's address. */
async function signIn(browser: FormBrowser, address: URL, email: string): Promise<URL> {
  await browser.visit(address);
  const { left } = await browser.press("sign-in", { email, password });
  if (left === undefined) throw new Error(`not signed in: ${browser.page.text}`);
  return left;
}

describeEachDatabase("a strict client", ({ create }) => {
  let database: TestDatabase;
  let the: TestPlatform;
  let strict: StrictClient;
  const fetchPage: Fetch = (request) => the.platform.fetch(request);
  const newBrowser = () => new FormBrowser(testBaseUrl, fetchPage);
  const email = "tenant-staff@example.org";

  beforeAll(async () => {
    database = await create();
    the = await createTestPlatform({ database });
    const { signIn: service } = the.platform.services;
    await service.setPassword(the.users["tenant-staff"].oid, password);
    strict = await StrictClient.discover(testBaseUrl, fetchPage);
  });
  afterAll(async () => {
    await the.close();
    await database.drop();
  });

  async function signedIn(): Promise<oauth.TokenEndpointResponse> {
    const begun = await strict.begin();
    return strict.finish(await signIn(newBrowser(), begun.address, email), begun);
  }

  describe("with a code and PKCE", () => {
    test("gets tokens with the user's claims", async () => {
      const tokens = await signedIn();
      expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope });
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({
        iss: `${testBaseUrl}/auth`,
        aud: "svc",
        sub: the.users["tenant-staff"].oid,
        oid: the.users["tenant-staff"].oid,
        email,
        name: "tenant-staff",
      });
      expect(await strict.isAccepted(tokens.access_token)).toBe(true);
      const info = await oauth.userInfoRequest(
        strict.server,
        client,
        tokens.access_token,
        strict.options,
      );
      const { oid } = the.users["tenant-staff"];
      expect(await oauth.processUserInfoResponse(strict.server, client, oid, info)).toMatchObject({
        sub: oid,
        email,
      });
    });

    test("gets 401 without an error code if it sends no token", async () => {
      const address = new Request(String(strict.server.userinfo_endpoint));
      const response = await the.platform.fetch(address);
      expect(response.status).toBe(401);
      // No error without a token (RFC 6750, 3.1).
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="svc"');
    });

    test("gets no refresh token without asking for offline access", async () => {
      const begun = await strict.begin({ scope: "openid email" });
      const tokens = await strict.finish(await signIn(newBrowser(), begun.address, email), begun);
      expect(tokens.refresh_token).toBeUndefined();
      expect(tokens.id_token).toBeDefined();
    });

    test.each(["http://127.0.0.1:1/callback", "http://[::1]:65535/callback"])(
      "can return to the loopback address %s",
      async (uri) => {
        const { address } = await strict.begin({ redirect_uri: uri });
        const left = await signIn(newBrowser(), address, email);
        expect(left.href.startsWith(`${uri}?code=`)).toBe(true);
      },
    );

    test("can use a code only once: a second use revokes the tokens of the first one", async () => {
      const begun = await strict.begin();
      const came = await signIn(newBrowser(), begun.address, email);
      const tokens = await strict.finish(came, begun);
      expect(await strict.isAccepted(tokens.access_token)).toBe(true);
      await expect(strict.finish(came, begun)).rejects.toMatchObject({ error: "invalid_grant" });
      expect(await strict.isAccepted(tokens.access_token)).toBe(false);
      await expect(strict.refresh(tokens.refresh_token)).rejects.toMatchObject({
        error: "invalid_grant",
      });
    });

    test("cannot use a code with another verifier or after a minute", async () => {
      const begun = await strict.begin();
      const came = await signIn(newBrowser(), begun.address, email);
      const wrong = { ...begun, verifier: oauth.generateRandomCodeVerifier() };
      await expect(strict.finish(came, wrong)).rejects.toMatchObject({ error: "invalid_grant" });
      // The code is still valid for the right client.
      expect(await strict.finish(came, begun)).toHaveProperty("access_token");

      const late = await strict.begin();
      const cameLate = await signIn(newBrowser(), late.address, email);
      the.advance(61_000);
      await expect(strict.finish(cameLate, late)).rejects.toMatchObject({ error: "invalid_grant" });
    });
  });

  describe("with a refresh token", () => {
    test("gets a new pair of tokens each time", async () => {
      const first = await signedIn();
      const second = await strict.refresh(first.refresh_token);
      const third = await strict.refresh(second.refresh_token);
      expect(new Set([first, second, third].map((tokens) => tokens.refresh_token)).size).toBe(3);
      expect(await strict.isAccepted(third.access_token)).toBe(true);
    });

    test("can use it again after any time, since a response can be lost", async () => {
      const { refresh_token } = await signedIn();
      const lost = await strict.refresh(refresh_token);
      the.advance(60 * 60 * 1000);
      const found = await strict.refresh(refresh_token);
      expect(found.refresh_token).not.toBe(lost.refresh_token);
      expect(await strict.refresh(found.refresh_token)).toHaveProperty("access_token");
    });

    test("that uses a second successor, loses all tokens of that sign-in", async () => {
      const { refresh_token } = await signedIn();
      const stolen = await strict.refresh(refresh_token);
      const own = await strict.refresh(refresh_token);
      const last = await strict.refresh(own.refresh_token);
      await expect(strict.refresh(stolen.refresh_token)).rejects.toMatchObject({
        error: "invalid_grant",
      });
      expect(await strict.isAccepted(last.access_token)).toBe(false);
    });

    test("that is used again after its successor, loses all tokens of that sign-in", async () => {
      const first = await signedIn();
      const second = await strict.refresh(first.refresh_token);
      await strict.refresh(second.refresh_token);
      await expect(strict.refresh(first.refresh_token)).rejects.toMatchObject({
        error: "invalid_grant",
      });
      await expect(strict.refresh(second.refresh_token)).rejects.toMatchObject({
        error: "invalid_grant",
      });
      expect(await strict.isAccepted(second.access_token)).toBe(false);
    });

    test("gets no scope that was not granted", async () => {
      const begun = await strict.begin({ scope: "openid offline_access" });
      const tokens = await strict.finish(await signIn(newBrowser(), begun.address, email), begun);
      const form = new URLSearchParams({
        grant_type: "refresh_token",
        client_id: "svc",
        refresh_token: String(tokens.refresh_token),
        scope: "openid email",
      });
      const response = await post("token", form);
      expect(await response.json()).toMatchObject({ error: "invalid_scope" });
    });

    test("can use it thirty times in parallel", async () => {
      const { refresh_token } = await signedIn();
      const all = await Promise.all(
        Array.from({ length: 30 }, () => strict.refresh(refresh_token)),
      );
      expect(await strict.refresh(all[29]?.refresh_token)).toHaveProperty("access_token");
    });

    test("cannot use it after thirty days", async () => {
      const { refresh_token } = await signedIn();
      the.advance(30 * 24 * 60 * 60 * 1000 + 1000);
      await expect(strict.refresh(refresh_token)).rejects.toMatchObject({ error: "invalid_grant" });
    });
  });

  describe("that revokes", () => {
    test.each(["refresh_token", "access_token"] as const)(
      "its %s, revokes the grant",
      async (kind) => {
        const tokens = await signedIn();
        await strict.revoke(String(tokens[kind]));
        await expect(strict.refresh(tokens.refresh_token)).rejects.toMatchObject({
          error: "invalid_grant",
        });
        expect(await strict.isAccepted(tokens.access_token)).toBe(false);
      },
    );

    test("an unknown token, gets the same response and revokes nothing", async () => {
      const tokens = await signedIn();
      await strict.revoke("never-issued");
      expect(await strict.isAccepted(tokens.access_token)).toBe(true);
    });
  });

  describe("without a browser", () => {
    const begin = async (): Promise<oauth.DeviceAuthorizationResponse> => {
      const parameters = new URLSearchParams({ scope });
      const response = await oauth.deviceAuthorizationRequest(
        strict.server,
        client,
        oauth.None(),
        parameters,
        strict.options,
      );
      return oauth.processDeviceAuthorizationResponse(strict.server, client, response);
    };
    const poll = async (deviceCode: string): Promise<oauth.TokenEndpointResponse> => {
      const response = await oauth.deviceCodeGrantRequest(
        strict.server,
        client,
        oauth.None(),
        deviceCode,
        strict.options,
      );
      return oauth.processDeviceCodeResponse(strict.server, client, response);
    };
    /** Decides in a browser; returns the next page. */
    const decide = async (address: string, decision: "approve" | "deny") => {
      const browser = newBrowser();
      await browser.visit(address);
      await browser.press("sign-in", { email, password });
      return browser.press(decision);
    };

    test("waits until a user approves it", async () => {
      const device = await begin();
      expect(device).toMatchObject({
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: `${testBaseUrl}/auth/device`,
        expires_in: 600,
        interval: 5,
      });
      await expect(poll(device.device_code)).rejects.toMatchObject({
        error: "authorization_pending",
      });
      const page = await decide(String(device.verification_uri_complete), "approve");
      expect(page.title).toBe("The machine is signed in");
      the.advance(6_000);
      const tokens = await poll(device.device_code);
      expect(await strict.isAccepted(tokens.access_token)).toBe(true);
      await expect(poll(device.device_code)).rejects.toMatchObject({ error: "invalid_grant" });
    });

    test("must slow down when it polls too often", async () => {
      const { device_code } = await begin();
      await expect(poll(device_code)).rejects.toMatchObject({ error: "authorization_pending" });
      await expect(poll(device_code)).rejects.toMatchObject({ error: "slow_down" });
      the.advance(6_000);
      // The interval is ten seconds now.
      await expect(poll(device_code)).rejects.toMatchObject({ error: "slow_down" });
      the.advance(16_000);
      await expect(poll(device_code)).rejects.toMatchObject({ error: "authorization_pending" });
    });

    test("can be refused by a user", async () => {
      const device = await begin();
      await decide(String(device.verification_uri_complete), "deny");
      await expect(poll(device.device_code)).rejects.toMatchObject({ error: "access_denied" });
    });

    test("is too late after ten minutes", async () => {
      const device = await begin();
      the.advance(601_000);
      await expect(poll(device.device_code)).rejects.toMatchObject({ error: "expired_token" });
      const browser = newBrowser();
      await browser.visit(String(device.verification_uri_complete));
      const page = await browser.press("sign-in", { email, password });
      expect(page.text).toContain("This code is unknown or has expired.");
    });

    test("accepts its code in any case and grouping", async () => {
      const device = await begin();
      const browser = newBrowser();
      await browser.visit(device.verification_uri);
      await browser.press("sign-in", { email, password });
      const typed = device.user_code.toLowerCase().replace("-", " ");
      const page = await browser.press("", { user_code: typed });
      expect(page.text).toContain(device.user_code);
    });
  });

  function post(path: "token" | "devicecode" | "revoke", form: URLSearchParams): Promise<Response> {
    const address = `${testBaseUrl}/auth/oauth2/v2.0/${path}`;
    return fetchPage(new Request(address, { method: "POST", body: form }));
  }

  describe("with an invalid request", () => {
    test.each([
      ["token", {}, "invalid_client"],
      ["token", { client_id: "other" }, "invalid_client"],
      ["token", { client_id: "svc" }, "unsupported_grant_type"],
      ["token", { client_id: "svc", grant_type: "password" }, "unsupported_grant_type"],
      ["token", { client_id: "svc", grant_type: "authorization_code" }, "invalid_request"],
      [
        "token",
        {
          client_id: "svc",
          grant_type: "authorization_code",
          code: "x",
          redirect_uri: redirectUri,
          code_verifier: "short",
        },
        "invalid_request",
      ],
      [
        "token",
        { client_id: "svc", grant_type: "refresh_token", refresh_token: "x" },
        "invalid_grant",
      ],
      ["devicecode", { client_id: "other" }, "invalid_client"],
      ["devicecode", { client_id: "svc", scope: "admin" }, "invalid_scope"],
      ["revoke", { client_id: "svc" }, "invalid_request"],
    ] as const)("to %s with %j gets the error %s", async (path, form, error) => {
      const response = await post(path, new URLSearchParams(form));
      expect(response.status).toBe(error === "invalid_client" ? 401 : 400);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ error, error_description: expect.any(String) });
    });

    test("with a repeated parameter or in JSON gets the error invalid_request", async () => {
      const twice = await post("token", new URLSearchParams("client_id=svc&client_id=svc"));
      expect(await twice.json()).toMatchObject({ error: "invalid_request" });
      const address = `${testBaseUrl}/auth/oauth2/v2.0/token`;
      const headers = { "content-type": "application/json" };
      const inJson = await fetchPage(new Request(address, { method: "POST", body: "{}", headers }));
      expect(await inJson.json()).toMatchObject({ error: "invalid_request" });
    });

    test("with another method or an unknown path is refused", async () => {
      const address = `${testBaseUrl}/auth/oauth2/v2.0/token`;
      const response = await fetchPage(new Request(address));
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      expect((await fetchPage(new Request(`${testBaseUrl}/auth/nowhere`))).status).toBe(404);
    });
  });
});

describe("over HTTP", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({
      host: "127.0.0.1",
      port: 0,
      dataDirectory: await temporaryDirectory("serve"),
      extractionCommand: [],
      log: () => {},
    });
  });
  afterAll(() => served.stop());

  test("the first user signs in with the one-time password and chooses another", async () => {
    const strict = await StrictClient.discover(served.url, fetch);
    expect(strict.server.issuer).toBe(served.authUrl);
    const begun = await strict.begin();
    const browser = new FormBrowser(served.url, (request) => fetch(request));
    await browser.visit(begun.address);
    const email = "admin@localhost";
    await browser.press("sign-in", {
      email,
      password: String(served.firstSignIn?.oneTimePassword),
    });
    expect(browser.page.title).toBe("Choose a password");
    const { left } = await browser.press("choose-password", {
      "new-password": password,
      "repeated-password": password,
    });
    const tokens = await strict.finish(new URL(String(left)), begun);
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ email });
    expect(await strict.isAccepted(tokens.access_token)).toBe(true);
    const refreshed = await strict.refresh(tokens.refresh_token);
    expect(await strict.isAccepted(refreshed.access_token)).toBe(true);
  });
});

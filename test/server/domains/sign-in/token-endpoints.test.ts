import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { FormBrowser } from "./form-browser.ts";
import { client, redirectUri, scope, StrictClient, type Fetch } from "./strict-client.ts";
import { signIn, password } from "./browser-sign-in.ts";

describeEachDatabase("a strict client", ({ engine }) => {
  let the: TestPlatform;
  let strict: StrictClient;
  const fetchPage: Fetch = (request) => the.platform.fetch(request);
  const newBrowser = () => new FormBrowser(testBaseUrl, fetchPage);
  const email = "tenant-staff@example.org";

  beforeAll(async () => {
    the = await openTestPlatform(engine, {});
    const { signIn: service } = the.platform.services;
    await service.setPassword(the.users["tenant-staff"].oid, password);
    strict = await StrictClient.discover(testBaseUrl, fetchPage);
  });

  afterAll(() => the.close());

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

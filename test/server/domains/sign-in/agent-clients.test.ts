import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, test } from "vitest";
import { called } from "#test/support/agent-client.ts";
import { describePlatform } from "#test/support/platform.ts";
import { FormBrowser } from "./form-browser.ts";

/** The client sends tokens over plain http to this machine only. */
const baseUrl = "http://localhost:4400";
const redirectUrl = "http://127.0.0.1:3118/oauth/callback";
const password = "correct horse battery staple";

/** The sign-in that an agent keeps, as the official client asks for it. */
class KeptSignIn implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: "Test agent",
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: "none",
  };
  address: URL | undefined;
  client: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (address: URL) => {
    this.address = address;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.#discovery = state;
  };
  discoveryState = () => this.#discovery;
}

describePlatform(
  "an agent's own sign-in",
  (the) => {
    const fetchPage = (request: Request) => the().platform.fetch(request);
    const register = (body: unknown) =>
      fetchPage(
        new Request(`${baseUrl}/auth/oauth2/v2.0/register`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );

    beforeAll(async () => {
      const { signIn } = the().platform.services;
      await signIn.setPassword(the().users["tenant-staff"].oid, password);
    });

    test("finds the platform's sign-in, registers, and acts for the user", async () => {
      const provider = new KeptSignIn();
      const connect = () =>
        new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
          authProvider: provider,
          fetch: (input, init) => fetchPage(new Request(String(input), init as RequestInit)),
        });
      const refused = connect();
      const client = new Client({ name: "test-agent", version: "1.0.0" });
      await expect(client.connect(refused)).rejects.toThrow(UnauthorizedError);

      const browser = new FormBrowser(baseUrl, fetchPage);
      const shown = await browser.visit(provider.address ?? "");
      expect(shown.text).toContain("let the agent “Test agent” on this machine act for you");
      const { left } = await browser.press("sign-in", {
        email: "tenant-staff@example.org",
        password,
      });
      expect(left?.href.startsWith(`${redirectUrl}?code=`)).toBe(true);
      await refused.finishAuth(left?.searchParams ?? new URLSearchParams());

      const signedIn = new Client({ name: "test-agent", version: "1.0.0" });
      await signedIn.connect(connect());
      const { oid } = await called(signedIn, "identity_me", {});
      expect(oid).toBe(the().users["tenant-staff"].oid);
      expect(provider.kept?.refresh_token).toBeDefined();
      await signedIn.close();
    });

    describe("cannot register", () => {
      test.each([
        [{}, "invalid_redirect_uri"],
        [{ redirect_uris: [] }, "invalid_redirect_uri"],
        [{ redirect_uris: ["https://evil.example/callback"] }, "invalid_redirect_uri"],
        [{ redirect_uris: ["http://127.0.0.1@evil.example/"] }, "invalid_redirect_uri"],
        [{ redirect_uris: ["http://localhost.evil.example/"] }, "invalid_redirect_uri"],
        [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
        [
          { redirect_uris: [redirectUrl], token_endpoint_auth_method: "client_secret_basic" },
          "invalid_client_metadata",
        ],
      ])("%j", async (body, error) => {
        const response = await register(body);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error });
      });
    });

    test("an id that was written by hand has no more rights than a registered one", async () => {
      const forged = (facts: unknown) =>
        `agent.${Buffer.from(JSON.stringify(facts)).toString("base64url")}`;
      const ask = (id: string, redirect: string) => {
        const address = new URL(`${baseUrl}/auth/oauth2/v2.0/authorize`);
        address.search = new URLSearchParams({
          client_id: id,
          redirect_uri: redirect,
          response_type: "code",
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          code_challenge_method: "S256",
        }).toString();
        return fetchPage(new Request(address.href));
      };
      const evil = "https://evil.example/callback";
      expect((await ask(forged({ name: "x", redirects: [evil] }), evil)).status).toBe(400);
      const own = forged({ name: "x", redirects: [redirectUrl] });
      expect((await ask(own, evil)).status).toBe(400);
      expect((await ask(own, "http://127.0.0.1:3118/other")).status).toBe(400);
      // Only the port of a loopback address may differ.
      expect((await ask(own, "http://127.0.0.1:4/oauth/callback")).status).toBe(200);
      expect((await ask("agent.%%%", redirectUrl)).status).toBe(400);
    });

    test("its name is one short line, and no markup", async () => {
      const name = `<b>Bank</b>\n\u202e${"x".repeat(200)}`;
      const response = await register({ client_name: name, redirect_uris: [redirectUrl] });
      expect(response.status).toBe(201);
      const registered = (await response.json()) as { client_name: string };
      expect(registered.client_name.length).toBeLessThanOrEqual(60);
      expect(registered.client_name).not.toMatch(/[\n\u202e]/);
    });
  },
  { options: { baseUrl } },
);

import * as openid from "openid-client";
import { beforeAll, describe, expect, test } from "vitest";
import { describePlatform, field, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { apps, inside, newApp, redirectUri as appRedirect } from "../idp-apps/world.ts";
import { FormBrowser } from "./form-browser.ts";

const password = "correct horse battery staple";
const email = "tenant-staff@example.org";
const goodbye = "https://portal.example/goodbye";

interface Registered {
  readonly config: openid.Configuration;
  readonly redirectUri: string;
}

async function discovered(
  the: TestPlatform,
  clientId: string,
  authentication: openid.ClientAuth,
): Promise<openid.Configuration> {
  const fetchPage = (address: string, init: unknown) =>
    the.platform.fetch(new Request(address, Object(init)));
  const config = await openid.discovery(
    new URL(`${testBaseUrl}/auth`),
    clientId,
    undefined,
    authentication,
    { execute: [openid.allowInsecureRequests], [openid.customFetch]: fetchPage },
  );
  openid.enableNonRepudiationChecks(config);
  return config;
}

/** A client of an app that its workspace has registered, with an address after the sign-out. */
async function appClient(
  the: TestPlatform,
  authenticate: (secret: string) => openid.ClientAuth = openid.ClientSecretBasic,
): Promise<Registered> {
  const { clientId, secret } = await newApp(the);
  const body = { clientId, postLogoutRedirectUris: [goodbye] };
  const confirmed = await the.as("tenant-admin").post(apps, body, inside(the));
  expect(confirmed.json).toMatchObject({ postLogoutRedirectUris: [goodbye] });
  return {
    config: await discovered(the, clientId, authenticate(secret)),
    redirectUri: appRedirect,
  };
}

describePlatform("the library openid-client", (the) => {
  beforeAll(async () => {
    await the().platform.services.signIn.setPassword(the().users["tenant-staff"].oid, password);
  });

  const newBrowser = () => new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));

  async function signIn({ config, redirectUri }: Registered, browser = newBrowser()) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const expectedNonce = openid.randomNonce();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid profile email offline_access",
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      nonce: expectedNonce,
    });
    await browser.visit(address);
    const { left } = await browser.press("sign-in", { email, password });
    return openid.authorizationCodeGrant(config, new URL(String(left)), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
    });
  }

  const clients: readonly (readonly [string, () => Promise<Registered>])[] = [
    [
      "the command's client",
      async () => ({
        config: await discovered(the(), "svc", openid.None()),
        redirectUri: "http://127.0.0.1:49152/callback",
      }),
    ],
    ["an app with client_secret_basic", () => appClient(the())],
    ["an app with client_secret_post", () => appClient(the(), openid.ClientSecretPost)],
  ];

  test.each(clients)("signs in, refreshes and revokes as %s", async (_name, register) => {
    const client = await register();
    const tokens = await signIn(client);
    const { oid } = the().users["tenant-staff"];
    expect(tokens.claims()).toMatchObject({ iss: `${testBaseUrl}/auth`, sub: oid, email });
    const info = await openid.fetchUserInfo(client.config, tokens.access_token, oid);
    expect(info).toMatchObject({ sub: oid, email });
    const next = await openid.refreshTokenGrant(client.config, String(tokens.refresh_token));
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    await openid.tokenRevocation(client.config, String(next.refresh_token));
    await expect(
      openid.refreshTokenGrant(client.config, String(next.refresh_token)),
    ).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(openid.fetchUserInfo(client.config, next.access_token, oid)).rejects.toThrow();
  });

  test("signs a device in", async () => {
    const config = await discovered(the(), "svc", openid.None());
    const device = await openid.initiateDeviceAuthorization(config, { scope: "openid" });
    const browser = newBrowser();
    await browser.visit(String(device.verification_uri_complete));
    await browser.press("sign-in", { email, password });
    expect((await browser.press("approve")).title).toBe("The machine is signed in");
    const tokens = await openid.pollDeviceAuthorizationGrant(config, {
      ...device,
      interval: 0.01,
    });
    expect(tokens.claims()).toMatchObject({ sub: the().users["tenant-staff"].oid });
  });

  describe("after a sign-out", () => {
    test("returns at once to the registered address, with an ID token of the user", async () => {
      const client = await appClient(the());
      const browser = newBrowser();
      const { id_token } = await signIn(client, browser);
      const address = openid.buildEndSessionUrl(client.config, {
        id_token_hint: String(id_token),
        post_logout_redirect_uri: goodbye,
        state: "a-state",
      });
      const page = await browser.visit(address);
      expect(page.status).toBe(303);
      expect(page.left?.href).toBe(`${goodbye}?state=a-state`);
      expect(browser.cookies.has("svc_session")).toBe(false);
    });

    test("asks the user without an ID token, or with that of another user", async () => {
      const client = await appClient(the());
      for (const hint of [undefined, "x.y.z"]) {
        const browser = newBrowser();
        await signIn(client, browser);
        const address = openid.buildEndSessionUrl(client.config, {
          post_logout_redirect_uri: goodbye,
          ...(hint === undefined ? {} : { id_token_hint: hint }),
        });
        const page = await browser.visit(address);
        expect(page.status).toBe(200);
        expect(page.headers.get("content-security-policy")).toContain(
          "form-action 'self' https://portal.example",
        );
        expect(browser.cookies.has("svc_session")).toBe(true);
        expect((await browser.press("sign-out")).left?.href).toBe(goodbye);
        expect(browser.cookies.has("svc_session")).toBe(false);
      }
    });

    test("returns also where no user is signed in", async () => {
      const { config } = await appClient(the());
      const address = openid.buildEndSessionUrl(config, { post_logout_redirect_uri: goodbye });
      expect((await newBrowser().visit(address)).left?.href).toBe(goodbye);
    });

    test.each([
      ["another address", { post_logout_redirect_uri: "https://evil.example/" }],
      ["an address that begins like it", { post_logout_redirect_uri: `${goodbye}/more` }],
      ["the address of the sign-in", { post_logout_redirect_uri: appRedirect }],
      ["an address of the command", { post_logout_redirect_uri: goodbye, client_id: "svc" }],
      ["an unknown client", { post_logout_redirect_uri: goodbye, client_id: "other" }],
      ["a script", { post_logout_redirect_uri: "javascript:alert(1)" }],
    ])("never returns to %s", async (_name, parameters) => {
      const client = await appClient(the());
      const browser = newBrowser();
      await signIn(client, browser);
      const address = openid.buildEndSessionUrl(client.config, parameters);
      const page = await browser.visit(address);
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
      expect(browser.cookies.has("svc_session")).toBe(true);
    });

    test("refuses the ID token of another client, and takes no access token for one", async () => {
      const [client, other] = [await appClient(the()), await appClient(the())];
      const browser = newBrowser();
      const { id_token } = await signIn(other);
      const { access_token } = await signIn(client, browser);
      const address = (hint: string) =>
        openid.buildEndSessionUrl(client.config, {
          id_token_hint: hint,
          post_logout_redirect_uri: goodbye,
        });
      expect((await browser.visit(address(String(id_token)))).status).toBe(400);
      expect((await browser.visit(address(access_token))).status).toBe(200);
      expect(browser.cookies.has("svc_session")).toBe(true);
    });

    test("no longer returns to an address that the app has removed", async () => {
      const client = await appClient(the());
      const { client_id: clientId } = client.config.clientMetadata();
      const body = { clientId, postLogoutRedirectUris: [] };
      const removed = await the().as("tenant-admin").post(apps, body, inside(the()));
      expect(field(removed.json, "postLogoutRedirectUris")).toEqual([]);
      const address = openid.buildEndSessionUrl(client.config, {
        post_logout_redirect_uri: goodbye,
      });
      expect((await newBrowser().visit(address)).status).toBe(400);
    });
  });
});

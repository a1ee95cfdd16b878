import * as openid from "openid-client";
import { beforeAll, expect, test } from "vitest";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";
import { FormBrowser } from "./form-browser.ts";
import { type Registered, discovered, appClient } from "./app-client.ts";

const password = "correct horse battery staple";
const email = "tenant-staff@example.org";

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
});

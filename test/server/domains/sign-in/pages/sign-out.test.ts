import * as openid from "openid-client";
import { beforeAll, describe, expect, test } from "vitest";
import { describePlatform, field, testBaseUrl } from "#test/support/platform.ts";
import { apps, inside, redirectUri as appRedirect } from "../../idp-apps/world.ts";
import { FormBrowser } from "../form-browser.ts";
import { type Registered, appClient, goodbye } from "../app-client.ts";

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

import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type Served } from "#server/serve.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { FormBrowser } from "../form-browser.ts";
import { StrictClient } from "../strict-client.ts";
import { password } from "../browser-sign-in.ts";

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

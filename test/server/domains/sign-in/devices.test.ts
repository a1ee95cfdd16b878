import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { FormBrowser } from "./form-browser.ts";
import { client, scope, StrictClient, type Fetch } from "./strict-client.ts";
import { password } from "./browser-sign-in.ts";

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
});

import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaintsOf, launchChromium, missingChromium } from "#test/support/chromium.ts";
import { describeNeeding } from "#test/support/needs.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { oneThread, startPlatform } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startLogin } from "./login-process.ts";

const password = "correct horse battery staple";
const email = "admin@localhost";

describeNeeding("passkeys in a browser", missingChromium, () => {
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let home: string;
  /** Browsers have passkeys for a host with a name only. */
  let address: string;
  let complaints: readonly string[];

  beforeAll(async () => {
    [platform, browser, home] = await Promise.all([
      startPlatform({ args: [oneThread] }),
      launchChromium(),
      temporaryDirectory("home"),
    ]);
    address = platform.url.replace("127.0.0.1", "localhost");
    page = await (await browser.newContext()).newPage();
    complaints = complaintsOf(page);
    const devices = await page.context().newCDPSession(page);
    await devices.send("WebAuthn.enable");
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });

  const signIn = async (tried: string): Promise<void> => {
    await page.fill("#email", email);
    await page.fill("#password", tried);
    await page.keyboard.press("Enter");
  };

  /** Faults for assistive programs, in both colour schemes. */
  const barriers = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe.source);
      const rules = `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })
        .then(({ violations }) => violations.map(({ id, nodes }) =>
          ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) })))`;
      found.push(...(await page.evaluate<unknown[]>(rules)));
    }
    return found;
  };

  test("a passkey is added, and is asked for after the password", async () => {
    const oneTime = /one-time password[^:]*: (\S+)/.exec(platform.stderr())?.[1] ?? "";
    await page.goto(`${address}/auth/factors`);
    await signIn(oneTime);
    await page.waitForSelector("#new-password");
    await page.fill("#new-password", password);
    await page.fill("#repeated-password", password);
    await page.click("text=Save and sign in");
    expect(await barriers()).toEqual([]);
    await page.click("text=Add an app with codes");
    await page.waitForSelector(".qr svg");
    expect(await barriers()).toEqual([]);
    await page.click("text=Cancel");
    await page.click("text=Add a passkey");
    expect(await barriers()).toEqual([]);
    await page.fill("#name", "Laptop");
    await page.click("button[value=add-passkey]");
    await page.waitForSelector(".codes");
    expect(await page.locator(".codes li").count()).toBe(10);
    expect(await barriers()).toEqual([]);
    const [recoveryCode = ""] = await page.locator(".codes li").allTextContents();
    await page.click("text=I have kept them");
    expect(await page.textContent("main")).toContain("passkey at localhost");

    await page.context().clearCookies();
    const login = await startLogin(home, address);
    await page.goto(await login.said(/http:\S+authorize\S+/));
    await signIn(password);
    await page.waitForSelector("button[value=show-passkey]");
    expect(await barriers()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    expect(await login.exited).toBe(0);

    await page.context().clearCookies();
    const lost = await startLogin(home, address);
    await page.goto(await lost.said(/http:\S+authorize\S+/));
    await signIn(password);
    await page.fill("#code", recoveryCode);
    await page.keyboard.press("Enter");
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    expect(await lost.exited).toBe(0);
    expect(complaints).toEqual([]);
  }, 60_000);
});

import PostalMime from "postal-mime";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaintsOf, launchChromium, missingChromium } from "#test/support/chromium.ts";
import { eventually } from "#test/support/eventually.ts";
import { describeNeeding } from "#test/support/needs.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startSmtpServer, type SmtpTestServer } from "#test/support/smtp-server.ts";
import { oneThread, startPlatform, svc } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startLogin } from "./login-process.ts";

const email = "ada@example.org";
const former = "the password that I forgot";
const chosen = "a password that I chose";

describeNeeding("a forgotten password in a browser", missingChromium, () => {
  let mail: SmtpTestServer;
  let platform: RunningPlatform;
  let browser: Browser;
  let page: Page;
  let home: string;
  let complaints: readonly string[];

  beforeAll(async () => {
    mail = await startSmtpServer();
    const SVC_SMTP_URL = `smtp://127.0.0.1:${mail.port}?from=Planning%20<svc@example.org>`;
    [platform, browser, home] = await Promise.all([
      startPlatform({ args: [oneThread], env: { SVC_SMTP_URL } }),
      launchChromium(),
      temporaryDirectory("home"),
    ]);
    page = await (await browser.newContext()).newPage();
    complaints = complaintsOf(page);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await platform.stop();
    await mail[Symbol.asyncDispose]();
  });

  /** The link of the mail with this number, as its HTML shows it. */
  const linkOf = async (count: number): Promise<string> => {
    const taken = await eventually(() => {
      expect(mail.mails).toHaveLength(count);
      return mail.mails.at(-1)?.data ?? "";
    });
    const { html = "" } = await PostalMime.parse(taken);
    return /href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "no link";
  };
  const choose = async (password: string): Promise<void> => {
    await page.fill("#new-password", password);
    await page.fill("#repeated-password", password);
    await page.keyboard.press("Enter");
  };

  test("is replaced by the mailed link, and `svc login` goes on with the new one", async () => {
    const env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
    await svc(
      [
        "workspace",
        "create",
        "--name=Planning",
        "--slug=planning",
        "--allow-root",
        "--home-region=eu",
      ],
      { home, env },
    );
    const invite = ["user", "invite", "--email", email, "--workspace=planning"];
    expect(await svc(invite, { home, env })).toMatchObject({ exitCode: 0 });
    await page.goto(await linkOf(1));
    await choose(former);
    await page.waitForSelector("text=You are now a member of Planning");

    const login = await startLogin(home, platform.url);
    const place = await login.said(/http:\S+authorize\S+/);
    await page.context().clearCookies();
    await page.goto(place);
    await page.click("text=Forgot password?");
    await page.fill("#email", email);
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('Look into your mail')");
    await page.goto(await linkOf(2));
    expect(await page.textContent("main")).toContain(email);
    await choose(chosen);
    await page.waitForSelector("h1:has-text('Your password is changed')");

    await page.goto(place);
    await page.click(`text=Continue as ${email}`);
    await page.waitForURL(/\/callback/);
    expect(await login.exited).toBe(0);
    expect(complaints).toEqual([]);
  }, 60_000);
});

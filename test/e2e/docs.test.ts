import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium, missingChromium } from "#test/support/chromium.ts";
import { describeNeeding } from "#test/support/needs.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { startPlatform } from "#test/support/svc.ts";

const pages = [
  "/",
  "/docs/",
  "/docs/operating/",
  "/docs/security/",
  "/docs/library/",
  "/docs/agents/",
  "/docs/api/documents/",
  "/docs/api/schemas/",
  "/docs/commands/",
  "/docs/commands/docs/",
  "/docs/errors/",
  "/docs/keys/",
];

describeNeeding("the reference in a browser", missingChromium, () => {
  let platform: RunningPlatform;
  let browser: Browser;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([
      startPlatform({ args: ["--demo"] }),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), platform.stop()]);
  });

  /** A page whose console and requests must stay quiet, except for the named addresses. */
  async function opened(path: string): Promise<{ page: Page; faults: string[] }> {
    const viewport = { width: 1280, height: 800 };
    const page = await browser.newPage({ colorScheme: "light", viewport });
    page.setDefaultTimeout(10_000);
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`${message.text()} ${message.location().url}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(platform.url)) faults.push(`asks for ${request.url()}`);
    });
    await page.goto(platform.url + path);
    return { page, faults: faults.filter((fault) => !fault.includes("favicon")) };
  }

  const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

  async function violations(page: Page, rules: readonly string[]): Promise<unknown[]> {
    return await page.evaluate<unknown[]>(
      `axe.run({ runOnly: ${JSON.stringify(rules)} })
        .then(({ violations }) => violations.map(({ id, nodes }) =>
          ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)) })))`,
    );
  }

  test.each(pages)(
    "%s is sound for screen readers, readable in both colour schemes, and fits a narrow screen",
    async (path) => {
      const { page, faults } = await opened(path);
      await page.evaluate(axe.source);
      expect(await violations(page, everyRule)).toEqual([]);
      // Only colours differ in the dark.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await violations(page, ["color-contrast"])).toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(faults).toEqual([]);
      await page.close();
    },
    // The largest page takes most of a minute on a busy machine.
    180_000,
  );

  test("keys reach the content, and find a route", async () => {
    const { page } = await opened("/docs/");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("site-content");
    await page.keyboard.press("/");
    await page.keyboard.type("documents upload");
    await page.locator("#site-results a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/.+#/);
    await page.close();
  });

  test("a form sends its request and shows the answer", async () => {
    const { page, faults } = await opened("/docs/api/identity/");
    await page.getByLabel("Access token").fill(await platform.token());
    const form = page.locator('form[data-path="/v4/identity/me"]').first();
    await form.locator("xpath=..").locator("summary").click();
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.locator(".output").waitFor();
    expect(await form.locator(".answer").textContent()).toContain("200");
    expect(await form.locator(".output").textContent()).toContain("admin@localhost");
    expect(faults).toEqual([]);
    await page.close();
  });

  test("without a script everything but the forms is readable", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${platform.url}/docs/api/documents/`);
    expect(await page.getByRole("heading", { name: "List a workspace's documents" }).count()).toBe(
      1,
    );
    expect(await page.locator(".try:visible").count()).toBe(0);
    await context.close();
  });
});

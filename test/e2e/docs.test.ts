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
  "/docs/start-operator/",
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
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    [platform, browser] = await Promise.all([
      startPlatform({ hasSamples: true }),
      launchChromium(),
    ]);
    page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => {
      if (message.type() !== "error" || message.location().url.includes("favicon")) return;
      faults.push(`${message.text()} ${message.location().url}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(platform.url)) faults.push(`asks for ${request.url()}`);
    });
  });
  afterAll(async () => {
    await Promise.all([browser.close(), platform.stop()]);
  });

  /**
   * Opens a path in the page of all tests, whose console and requests must stay quiet, except for
   * the named addresses. Another page for each path costs a quarter of the processor time more.
   */
  async function open(path: string): Promise<void> {
    await page.goto("about:blank");
    faults = [];
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(platform.url + path);
  }

  const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
  const contrast = "color-contrast";
  const everyOtherRule = { runOnly: standards, rules: { [contrast]: { enabled: false } } };

  async function violations(options: object, context = "document"): Promise<unknown[]> {
    return await page.evaluate<unknown[]>(
      `axe.run(${context}, { ...${JSON.stringify(options)}, resultTypes: ["violations"] })
        .then(({ violations }) => violations.map(({ id, nodes }) =>
          ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)) })))`,
    );
  }

  /**
   * One element for each chain of tags, classes and states that has text. The style sheets of the
   * pages know nothing else, so that others of a chain have its colours; the largest page has
   * thousands of them.
   */
  const oneOfEachStyle = `(() => {
    const chains = new Map();
    const chainOf = (element) => {
      if (element === null) return "";
      const { localName, attributes } = element;
      const own = Array.from(attributes, ({ name, value }) =>
        /^(?:id|href|for|value|data-name|data-path|aria-(?:label|describedby))$/.test(name)
          ? name : name + "=" + value);
      return chainOf(element.parentElement) + " " + localName + own.toSorted();
    };
    for (const element of document.body.querySelectorAll("*")) {
      const hasText = element.matches("input, textarea, select") ||
        Array.from(element.childNodes).some((node) =>
          node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
      if (!hasText) continue;
      const chain = chainOf(element);
      if (!chains.has(chain)) chains.set(chain, element);
    }
    return { include: [...chains.values()] };
  })()`;

  /**
   * Takes away what is neither one of each style nor around or in it. A check of colours begins
   * with the places of all elements, which takes most of its time; no colour depends on siblings.
   */
  const keepOneOfEachStyle = `(() => {
    const { include } = ${oneOfEachStyle};
    const kept = new Set();
    for (const element of include) {
      for (let outer = element; outer !== null; outer = outer.parentElement) kept.add(outer);
      for (const inner of element.querySelectorAll("*")) kept.add(inner);
    }
    for (const element of document.body.querySelectorAll("*")) {
      if (!kept.has(element)) element.remove();
    }
    return include.length;
  })()`;

  const contrastViolations = () => violations({ runOnly: [contrast] }, oneOfEachStyle);

  test.each(pages)(
    "%s is sound for screen readers, readable in both colour schemes, and fits a narrow screen",
    async (path) => {
      await open(path);
      await page.evaluate(axe.source);
      expect(await violations(everyOtherRule)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await page.evaluate(keepOneOfEachStyle)).toBeGreaterThan(0);
      expect(await contrastViolations()).toEqual([]);
      // The dark page differs in colours only.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await contrastViolations()).toEqual([]);
      expect(faults).toEqual([]);
    },
    // The largest page takes most of a minute on a busy machine.
    180_000,
  );

  test("tables fit a laptop, with a first column that leaves room for the others", async () => {
    const tables = `[...document.querySelectorAll(".scroll")].map((scroll) => ({
      label: scroll.ariaLabel,
      isCut: scroll.scrollWidth > scroll.clientWidth + 1,
      first: scroll.querySelector("th").offsetWidth / scroll.clientWidth,
    })).filter(({ isCut, first }) => isCut || first > 0.5)`;
    for (const path of ["/docs/api/resources/", "/docs/api/documents/", "/docs/errors/"]) {
      await open(path);
      expect(await page.evaluate(tables), path).toEqual([]);
    }
  });

  test("keys reach the content, and find a route", async () => {
    await open("/docs/");
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
  });

  test("the search reads the text of every page, and shows where it found the words", async () => {
    await open("/docs/");
    await page.getByRole("searchbox", { name: "Search" }).fill("one-time password journal");
    const first = page.locator("#site-results a").first();
    await first.waitFor();
    expect(await first.locator("mark").count()).toBeGreaterThan(0);
    expect(await first.locator("span").textContent()).toMatch(/journal/i);
    await first.click();
    await page.waitForURL(/\/docs\/start-operator\/#the-first-password$/);
    expect(faults).toEqual([]);
  });

  test("a form sends its request and shows the answer", async () => {
    await open("/docs/api/identity/");
    await page.getByLabel("Access token").fill(await platform.token());
    const form = page.locator('form[data-path="/v4/identity/me"]').first();
    await form.locator("xpath=..").locator("summary").click();
    await form.getByRole("button", { name: "Send GET" }).click();
    await form.locator(".output").waitFor();
    expect(await form.locator(".answer").textContent()).toContain("200");
    expect(await form.locator(".output").textContent()).toContain("admin@localhost");
    expect(faults).toEqual([]);
  });

  test("a form offers a file to save, under its name", async () => {
    await open("/docs/api/documents/");
    const token = await platform.token();
    const init = { headers: { authorization: `Bearer ${token}` } };
    const answer = await fetch(`${platform.url}/v4/identity/tenants`, init);
    const { items } = (await answer.json()) as { items: { id: string; slug: string }[] };
    await page.getByLabel("Access token").fill(token);
    await page.getByLabel("Workspace id").fill(items.find(({ slug }) => slug === "planning")!.id);
    const path = "/v4/data/documents/records/{documentId}/content";
    const form = page.locator(`form[data-path="${path}"]`);
    await form.locator("xpath=..").locator("summary").click();
    for (const [number, type] of [
      ["DOC-2026-000003", "application/pdf"],
      ["DOC-2026-000005", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ] as const) {
      await form.locator('[data-name="documentId"]').fill(number);
      await form.getByRole("button", { name: "Send GET" }).click();
      const link = form.getByRole("link", { name: `bytes of ${type}` });
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      expect(download.suggestedFilename()).toMatch(/\.(?:pdf|xlsx)$/);
      expect(await download.failure()).toBeNull();
      expect(await form.locator(".output").isVisible()).toBe(false);
    }
    expect(faults.filter((fault) => !fault.startsWith("asks for blob:"))).toEqual([]);
  });

  test("a form shows a stream while it runs", async () => {
    const hold = Promise.withResolvers<void>();
    const part = (text: string) => new TextEncoder().encode(text);
    const proxy = Bun.serve({
      port: 0,
      fetch(request) {
        const { pathname } = new URL(request.url);
        const headers = { "accept-encoding": "identity" };
        if (!pathname.includes("/stream/")) return fetch(platform.url + pathname, { headers });
        const body = new ReadableStream<Uint8Array>({
          async start(stream) {
            stream.enqueue(part("data: first\n\n"));
            await hold.promise;
            stream.enqueue(part("data: last\n\n"));
            stream.close();
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    const ownPage = await browser.newPage();
    ownPage.setDefaultTimeout(10_000);
    await ownPage.goto(`http://127.0.0.1:${proxy.port}/docs/api/chat/`);
    const form = ownPage.locator('form[data-path^="/v4/ai/chat/stream/"]');
    await form.locator("xpath=..").locator("summary").click();
    for (const name of ["tenantId", "workflowId", "stage"]) {
      await form.locator(`[data-name="${name}"]`).fill("x");
    }
    await form.getByRole("button", { name: "Send POST" }).click();
    const output = form.locator(".output");
    await output.filter({ hasText: "first" }).waitFor();
    expect(await output.textContent()).not.toContain("last");
    hold.resolve();
    await output.filter({ hasText: "last" }).waitFor();
    await ownPage.close();
    await proxy.stop(true);
  });

  test("without a script everything but the forms is readable", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plainPage = await context.newPage();
    await plainPage.goto(`${platform.url}/docs/api/documents/`);
    expect(
      await plainPage.getByRole("heading", { name: "List a workspace's documents" }).count(),
    ).toBe(1);
    expect(await plainPage.locator(".try:visible").count()).toBe(0);
    await context.close();
  });
});

import { chromium } from "playwright-core";
import { findChromium } from "../../tools.ts";
import { isReady, readyLimitMs, type Browser } from "./browser.ts";

/** Chromium, headless. It accepts the certificate of the run. */
export async function openChromium(): Promise<Browser> {
  const executablePath = (await findChromium()) ?? "chromium";
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  return {
    async open(url, ready = isReady) {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      page.setDefaultTimeout(readyLimitMs);
      const complaints: string[] = [];
      const missing: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("response", (response) => {
        if (response.status() === 404) missing.push(response.url());
      });
      await page.goto(url);
      await page.waitForFunction(ready);
      return {
        evaluate: async (expression) => await page.evaluate<string>(expression),
        complaints: () => complaints,
        missing: () => missing,
        [Symbol.asyncDispose]: () => context.close(),
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

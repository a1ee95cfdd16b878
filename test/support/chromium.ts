import { chromium, type Browser, type Page } from "playwright-core";
import { inject } from "vitest";

const path = inject("chromiumPath");

/** Why no browser can be had here; `undefined` when one can. For `describeNeeding`. */
export const missingChromium: string | undefined =
  path === null ? "needs Chromium; `npm test` installs it when run as root on Debian" : undefined;

/** A headless browser; close it in `afterAll`. */
export async function launchChromium(): Promise<Browser> {
  if (path === null) throw new Error(missingChromium);
  return chromium.launch({
    executablePath: path,
    headless: true,
    // Its sandbox needs an account other than root; the pages of a test are our own.
    chromiumSandbox: false,
    timeout: 30_000,
  });
}

/**
 * Collects what the page writes to its console and the errors of its scripts. It leaves out the
 * notice of a field that was filled in before the browser focused one by itself: no person is so
 * fast.
 */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  const add = (text: string): void => {
    if (!text.startsWith("Autofocus processing was blocked")) complaints.push(text);
  };
  page.on("console", (message) => add(message.text()));
  page.on("pageerror", (error) => add(error.message));
  return complaints;
}

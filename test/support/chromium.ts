import { chromium, type Browser } from "playwright-core";
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

import type { Environment } from "#cli/environment.ts";
import { within } from "#lib/within.ts";

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens an address in the user's browser; false where none could be started. The variable `BROWSER`
 * names another program, or `none`, as other programs on the same machine read it.
 */
export async function openBrowser(
  environment: Pick<Environment, "platform" | "variables">,
  url: string,
): Promise<boolean> {
  const chosen = environment.variables["BROWSER"] ?? "";
  if (chosen === "none") return false;
  const opener = chosen === "" ? (openers[environment.platform] ?? ["xdg-open"]) : [chosen];
  try {
    const child = Bun.spawn([...opener, url], { stdio: ["ignore", "ignore", "ignore"] });
    child.unref();
    // An opener that fails says so at once; one that works may stay for as long as its browser.
    const exitCode = await within(1_000, child.exited, 0);
    return exitCode === 0;
  } catch {
    return false;
  }
}

import type { Environment } from "#cli/environment.ts";
import { within } from "#lib/time/within.ts";

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the browser (`BROWSER` names another, or `none`); false if none started. */
export async function openBrowser(
  { platform, variables }: Pick<Environment, "platform" | "variables">,
  url: string,
): Promise<boolean> {
  const chosen = variables["BROWSER"] ?? "";
  if (chosen === "none") return false;
  const opener = chosen === "" ? (openers[platform] ?? ["xdg-open"]) : [chosen];
  try {
    const child = Bun.spawn([...opener, url], { stdio: ["ignore", "ignore", "ignore"] });
    child.unref();
    // An opener that fails ends at once; one that works may run as long as its browser.
    return (await within(1_000, child.exited, 0)) === 0;
  } catch {
    return false;
  }
}

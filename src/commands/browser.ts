const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the user's browser; false where no browser could be started. */
export async function openBrowser(platform: string, url: string): Promise<boolean> {
  try {
    const child = Bun.spawn([...(openers[platform] ?? ["xdg-open"]), url], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    child.unref();
    // An opener that fails says so at once; one that works may stay for as long as its browser.
    const exitCode = await Promise.race([child.exited, Bun.sleep(1000).then(() => 0)]);
    return exitCode === 0;
  } catch {
    return false;
  }
}

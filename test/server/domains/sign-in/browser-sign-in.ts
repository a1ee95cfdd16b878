import type { FormBrowser } from "./form-browser.ts";

export const password = "correct horse battery staple";

/** Signs in on the page and returns the redirect's address. */
export async function signIn(browser: FormBrowser, address: URL, email: string): Promise<URL> {
  await browser.visit(address);
  const { left } = await browser.press("sign-in", { email, password });
  if (left === undefined) throw new Error(`not signed in: ${browser.page.text}`);
  return left;
}

import { type SignInOptions } from "#auth/sign-in.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type TestProvider } from "./provider.ts";

export const baseUrl = "http://127.0.0.1:4400";

/** A browser: asks the provider, then follows its redirect to the callback; gives the last page. */
export async function browse(
  url: string,
): Promise<{ status: number; page: string; callback: URL }> {
  const asked = await fetch(url, { redirect: "manual" });
  const callback = new URL(asked.headers.get("location") ?? "");
  const answered = await fetch(callback);
  return { status: answered.status, page: await answered.text(), callback };
}

export async function optionsFor(provider: TestProvider, change: Partial<SignInOptions> = {}) {
  const configDirectory = await temporaryDirectory("sign-in");
  const said: string[] = [];
  const pages: { status: number; page: string }[] = [];
  const opened: Promise<unknown>[] = [];
  const options: SignInOptions = {
    settings: { configDirectory, profile: "default", baseUrl, authUrl: provider.url },
    say: (words) => void said.push(words),
    openBrowser: (url) => void opened.push(browse(url).then((result) => pages.push(result))),
    ...change,
  };
  return { configDirectory, said, pages, opened, options };
}

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "succeeded",
    (error: unknown) => error,
  );
}

import { join } from "node:path";

/** The script of the site's search. The build replaces this file by the finished script. */
export async function searchSource(): Promise<string> {
  const { outputs, success } = await Bun.build({
    entrypoints: [join(import.meta.dirname, "../../../site/search/client.ts")],
    target: "browser",
    format: "iife",
    minify: true,
    throw: false,
  });
  const [output] = outputs;
  if (!success || output === undefined) throw new Error("The script of the search does not build");
  return await output.text();
}

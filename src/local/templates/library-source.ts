import { join } from "node:path";

/** The client library as one module. The build replaces this file by the finished module. */
export async function librarySource(): Promise<string> {
  const { outputs, success } = await Bun.build({
    entrypoints: [join(import.meta.dirname, "../../client/index.ts")],
    target: "browser",
    format: "esm",
    minify: true,
    // A browser does without them, as with the package; replacements are half of the library.
    external: ["node:*"],
    throw: false,
  });
  const [output] = outputs;
  if (!success || output === undefined) throw new Error("The client library does not build");
  return await output.text();
}

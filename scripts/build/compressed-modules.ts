import { join } from "node:path";

/**
 * Libraries that only sign-in, `env`, or the process that reads one document, needs. Bytecode is
 * four times the size of its source; a compressed file is a fifteenth of that, and costs some
 * milliseconds to load.
 */
const compressed = [
  "unpdf/pdfjs",
  "postal-mime",
  "htmlparser2",
  "papaparse",
  "oauth4webapi",
  "@azure/app-configuration",
] as const;

const repositorySource = join(import.meta.dirname, "../../src");
const loader = join(repositorySource, "lib/compressed-module.ts");

/**
 * Embeds the libraries above compressed; their importers need no change. `folder` holds the files
 * until the build has read them.
 */
export async function compressedModules(folder: string): Promise<Bun.BunPlugin> {
  // Before the build that they are for: one build within another never ends.
  const standIns = new Map<string, string>();
  for (const name of compressed) {
    const source = await bundle(Bun.resolveSync(name, import.meta.dirname));
    const stored = join(folder, `${name.replaceAll("/", "-")}.zst`);
    await Bun.write(stored, Bun.zstdCompressSync(source, { level: 19 }));
    standIns.set(name, standIn(stored, exportsOf(source)));
  }
  const stored = join(folder, "client-library.zst");
  const client = await bundle(join(repositorySource, "client/index.ts"), "browser");
  await Bun.write(stored, Bun.zstdCompressSync(client, { level: 19 }));
  return {
    name: "compressed modules",
    setup(build) {
      // Projects get the library as text.
      build.onLoad({ filter: /\/templates\/library-source\.ts$/ }, () => ({
        contents: [
          `import path from ${JSON.stringify(stored)} with { type: "file" };`,
          "export async function librarySource() {",
          "  const bytes = await Bun.file(path).bytes();",
          "  return new TextDecoder().decode(Bun.zstdDecompressSync(bytes));",
          "}",
        ].join("\n"),
        loader: "js",
      }));
      const filter = new RegExp(`^(?:${compressed.join("|")})$`);
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: "compressed" }));
      build.onLoad({ filter, namespace: "compressed" }, ({ path }) => ({
        contents: standIns.get(path) ?? "",
        loader: "js",
      }));
    },
  };
}

/** The library as one module with nothing left to import. */
async function bundle(path: string, target: "bun" | "browser" = "bun"): Promise<string> {
  const { success, outputs, logs } = await Bun.build({
    entrypoints: [path],
    target,
    minify: true,
    throw: false,
  });
  const [output, ...others] = outputs;
  if (!success || output === undefined || others.length > 0) {
    throw new Error(`${path} is not one module:\n${logs.map(({ message }) => message).join("\n")}`);
  }
  return await output.text();
}

function exportsOf(source: string): readonly string[] {
  return new Bun.Transpiler({ loader: "js" }).scan(source).exports;
}

/** The module that stands where the library stood, with the same exports. */
function standIn(stored: string, names: readonly string[]): string {
  return [
    `import path from ${JSON.stringify(stored)} with { type: "file" };`,
    `import { importCompressed } from ${JSON.stringify(loader)};`,
    "const library = await importCompressed(path);",
    ...names.map((name) =>
      name === "default"
        ? "export default library.default;"
        : `export const ${name} = library.${name};`,
    ),
  ].join("\n");
}

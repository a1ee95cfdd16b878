import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { declarationTree } from "./declarations.ts";
import { repository } from "./executable.ts";

/** The client as a package exports it: one module, and declarations that need nothing of ours. */
export const library: string = join(repository, "dist", "lib");

const entryPoint = "src/client/index.ts";
/** Modules of zod that make JSON Schema, which the client never does: 19 kB of its 110. */
const unusedModules = /zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;

/** Builds dist/lib: `index.js` for Node, Bun and browsers, and the tree of declarations. */
export async function buildLibrary(target: string = library): Promise<void> {
  const folder = join(repository, "dist", `.lib-${crypto.randomUUID()}`);
  await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder, { recursive: true });
    await Promise.all([bundle(folder), addDeclarations(folder), addLicences(folder)]);
    await rm(target, { recursive: true, force: true });
    await cp(folder, target, { recursive: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle(folder: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: [join(repository, entryPoint)],
    outdir: folder,
    target: "browser",
    format: "esm",
    // Keeps the client's lazy imports lazy.
    splitting: true,
    // The hints name these chunks, which a page's bundler renames: each would be a 404.
    modulePreload: false,
    plugins: libraryPlugins,
    // A library is read and debugged by others: its names and comments stay.
    minify: false,
    throw: false,
  });
  if (!result.success)
    throw new Error(
      `${entryPoint} did not bundle:\n${result.logs.map((log) => log.message).join("\n")}`,
    );
}

/** Puts functions that do nothing in the place of those that make JSON Schema. */
const withoutJsonSchema: BunPlugin = {
  name: "without JSON Schema",
  setup(build) {
    build.onLoad({ filter: unusedModules }, async ({ path }) => {
      const names = Array.from(
        (await Bun.file(path).text()).matchAll(/^export (?:function|const) (\w+)/gm),
        ([, name]) => `export const ${name} = () => () => undefined;`,
      );
      return { contents: names.join("\n"), loader: "js" };
    });
  },
};

const evaluates = "if (globalConfig.jitless) {";

/** A page whose policy forbids evaluated text reports even the attempt to find that out. */
const withoutEvaluation: BunPlugin = {
  name: "no evaluation in pages",
  setup(build) {
    build.onLoad({ filter: /\/zod\/v4\/core\/util\.js$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      if (!text.includes(evaluates))
        throw new Error("zod finds out in another way: see library.ts");
      const inPages = 'if (globalConfig.jitless || typeof document !== "undefined") {';
      return { contents: text.replace(evaluates, inPages), loader: "js" };
    });
  },
};

/** Changes to the schema library for a client that also runs in pages. */
export const libraryPlugins: BunPlugin[] = [withoutJsonSchema, withoutEvaluation];

/** The licences of what is bundled, which ask to be with every copy. */
async function addLicences(folder: string): Promise<void> {
  const bundled = { ky: "license", "eventsource-parser": "LICENSE", zod: "LICENSE" };
  for (const [name, file] of Object.entries(bundled)) {
    const licence = Bun.file(join(repository, "node_modules", name, file));
    await Bun.write(join(folder, "licences", `${name}.txt`), licence);
  }
}

async function addDeclarations(folder: string): Promise<void> {
  await cp(await declarationTree(), join(folder, "types"), { recursive: true });
}

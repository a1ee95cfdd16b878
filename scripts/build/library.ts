import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { finished } from "./finished.ts";
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
    await Promise.all([bundle(folder), declare(folder), addLicences(folder)]);
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

/** Declarations for the entry and what it reaches, with `#layer/` turned into relative paths. */
export async function declare(folder: string): Promise<void> {
  const configuration = join(folder, "tsconfig.json");
  const types = join(folder, "types");
  await Bun.write(
    configuration,
    JSON.stringify({
      extends: relative(folder, join(repository, "tsconfig.json")),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: relative(folder, join(repository, "src")),
        outDir: types,
        noUnusedLocals: false,
      },
      files: [relative(folder, join(repository, entryPoint))],
      include: [],
    }),
  );
  const compiler = Bun.spawn([process.execPath, "run", "--silent", "tsc", "-p", configuration], {
    cwd: repository,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stdout: output, stderr: errors, exitCode } = await finished(compiler);
  if (exitCode !== 0)
    throw new Error(`the declarations of ${entryPoint} failed:\n${output}${errors}`);
  await rm(configuration);
  for await (const path of new Bun.Glob("**/*.d.ts").scan({ cwd: types })) {
    const file = Bun.file(join(types, path));
    await Bun.write(file, rewriteSpecifiers(ownZod(await file.text(), path), path));
  }
  await addZodTypes(join(types, "zod"));
}

function ownZod(declarations: string, path: string): string {
  const toRoot = relative(dirname(path), "zod") || ".";
  return declarations.replace(
    /(\bfrom |\bimport\()"zod(\/v4\/core)?"/g,
    (_, keyword: string, part = "") => `${keyword}"${toRoot}${part}/index.js"`,
  );
}

/** The declarations of zod that ours name, so that the package depends on no other one. */
async function addZodTypes(target: string): Promise<void> {
  const zod = join(repository, "node_modules/zod");
  for (const pattern of ["index.d.ts", "v4/{classic,core,locales}/*.d.ts"]) {
    for await (const path of new Bun.Glob(pattern).scan({ cwd: zod })) {
      await cp(join(zod, path), join(target, path));
    }
  }
}

/**
 * `"#contract/errors.ts"` and `"./calls.ts"` as a consumer can resolve them: relative, and with
 * the extension of the emitted module. `path` is the declaration's own, from the root of the tree.
 */
export function rewriteSpecifiers(declarations: string, path: string): string {
  return declarations.replace(
    /((?:\bfrom|\bimport)\s*\(?\s*)"((?:#|\.\.?\/)[^"]+)\.tsx?"/g,
    (_, keyword: string, specifier: string) => {
      const target = specifier.startsWith("#")
        ? relative(dirname(path), specifier.slice(1))
        : specifier;
      return `${keyword}"${target.startsWith(".") ? target : `./${target}`}.js"`;
    },
  );
}

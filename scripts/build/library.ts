import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { finished } from "./finished.ts";
import { repository } from "./executable.ts";

/** The client as a package exports it: one module, and declarations that need nothing of ours. */
export const library: string = join(repository, "dist", "lib");

const entryPoint = "src/client/index.ts";
/**
 * Left to the consumer's own installation, or to a runtime that has them. The package depends only
 * on what its declarations name; the rest is bundled, so that no package asks for a newer Node than
 * we do.
 */
const externalModules = [...Object.keys(manifest.dependencies), "node:*"];

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
    external: externalModules,
    // A library is read and debugged by others: its names and comments stay.
    minify: false,
    throw: false,
  });
  if (!result.success)
    throw new Error(
      `${entryPoint} did not bundle:\n${result.logs.map((log) => log.message).join("\n")}`,
    );
}

/** The licences of what is bundled, which ask to be with every copy. */
async function addLicences(folder: string): Promise<void> {
  const bundled = { ky: "license", "eventsource-parser": "LICENSE" };
  for (const [name, file] of Object.entries(bundled)) {
    const licence = Bun.file(join(repository, "node_modules", name, file));
    await Bun.write(join(folder, "licences", `${name}.txt`), licence);
  }
}

/** Declarations for the entry and what it reaches, with `#layer/` turned into relative paths. */
async function declare(folder: string): Promise<void> {
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
    await Bun.write(file, rewriteSpecifiers(await file.text(), path));
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

import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { repository } from "./executable.ts";
import { finished } from "./finished.ts";

const entryPoint = "src/client/index.ts";
const kept = join(repository, ".cache", "declarations");
/** The files that decide the declarations. */
const sources = ["src/{client,contract,lib}/**/*.ts", "scripts/build/declarations.ts"];

/**
 * The library's declarations as one file of ambient modules, of which `svc/types/client/index` is
 * the entry.
 */
export async function libraryDeclarations(): Promise<string> {
  return await ambientModules(await declarationTree());
}

/** The folder of the library's declarations. The compiler takes 10 s, so it is kept. */
export async function declarationTree(): Promise<string> {
  const tree = join(kept, await digestOfSources());
  if (await Bun.file(join(tree, "client/index.d.ts")).exists()) return tree;
  const folder = join(kept, crypto.randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    await declare(folder);
    await rename(join(folder, "types"), tree).catch(async (error: unknown) => {
      // Another build may have been faster.
      if (!(await Bun.file(join(tree, "client/index.d.ts")).exists())) throw error;
    });
    return tree;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function digestOfSources(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for (const pattern of [...sources, "{package.json,tsconfig.json}"]) {
    const paths = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: repository }));
    for (const path of paths.toSorted()) {
      hash.update(`${path}\0`).update(await Bun.file(join(repository, path)).bytes());
    }
  }
  return hash.digest("hex").slice(0, 32);
}

async function ambientModules(types: string): Promise<string> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*.d.ts").scan({ cwd: types }));
  const modules = await Promise.all(
    paths.toSorted().map(async (path) => {
      const text = ambient(await Bun.file(join(types, path)).text(), path);
      return `declare module "${moduleName(path)}" {\n${text}}\n`;
    }),
  );
  return modules.join("");
}

/** A declaration file as the body of an ambient module, where nothing else is declared ambient. */
function ambient(declarations: string, path: string): string {
  return declarations
    .replace(
      /((?:\bfrom|\bimport)\s*\(?\s*)"(\.\.?\/[^"]+)"/g,
      (_, keyword: string, specifier: string) =>
        `${keyword}"${moduleName(join(dirname(path), specifier))}"`,
    )
    .replace(/^(export )?declare (?!global|module)/gm, "$1");
}

function moduleName(path: string): string {
  return `svc/types/${path.replace(/(?:\.d\.ts|\.js)$/, "")}`;
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

import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { clientPackage } from "#lib/packages.ts";
import { cleanEnvironment } from "./environment.ts";
import { askRun } from "./run.ts";
import { temporaryDirectory } from "./temporary.ts";

const repository = resolve(import.meta.dirname, "../..");

/**
 * A project that has nothing but the packed library, the types of Node, and these files.
 */
export async function makeConsumer(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryDirectory("consumer");
  const packed = join(root, "node_modules", clientPackage);
  await mkdir(packed, { recursive: true });
  const { path } = await askRun("POST", "/library");
  await cp(String(path), join(packed, "dist", "lib"), { recursive: true });
  await cp(join(repository, "package.json"), join(packed, "package.json"));
  for (const name of ["@types/node", "undici-types"]) {
    const installed = join(repository, "node_modules", name);
    await mkdir(join(root, "node_modules", name, ".."), { recursive: true });
    await symlink(installed, join(root, "node_modules", name));
  }
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module" }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  return root;
}

/**
 * Compiles a project's file to `out/`, strictly; the compiler's exit code and words. With
 * `checksLibraries` the declarations of the libraries are checked also, which takes four times as
 * long.
 */
export async function compile(
  root: string,
  file: string,
  { checksLibraries }: { readonly checksLibraries: boolean },
): Promise<readonly [exitCode: number, words: string]> {
  const configuration = {
    compilerOptions: {
      target: "ES2022",
      module: "NodeNext",
      lib: ["ESNext", "DOM", "DOM.Iterable"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      rewriteRelativeImportExtensions: true,
      rootDir: ".",
      skipLibCheck: !checksLibraries,
      outDir: "out",
    },
    files: [file],
  };
  await writeFile(join(root, "tsconfig.json"), JSON.stringify(configuration));
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, "-p", root], {
    cwd: root,
    env: cleanEnvironment(),
  });
  return [exitCode, stdout.toString()];
}

import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repository } from "./executable.ts";
import { declare } from "./library.ts";

const kept = join(repository, ".cache", "declarations");
/** The files that decide the declarations. */
const sources = ["src/{client,contract,lib}/**/*.ts", "scripts/build/{declarations,library}.ts"];

/**
 * The library's declarations as one file of ambient modules, of which `svc/types/client/index` is
 * the entry. The compiler takes 10 s, so they are kept until a source changes.
 */
export async function libraryDeclarations(): Promise<string> {
  const path = join(kept, `${await digestOfSources()}.d.ts`);
  const file = Bun.file(path);
  if (await file.exists()) return await file.text();
  const folder = join(kept, crypto.randomUUID());
  try {
    await mkdir(folder, { recursive: true });
    await declare(folder);
    const text = await ambientModules(join(folder, "types"));
    await Bun.write(join(folder, "modules.d.ts"), text);
    await rename(join(folder, "modules.d.ts"), path);
    return text;
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

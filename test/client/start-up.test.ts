import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Every module that loading `path` loads with it: static imports but macros, packages by name. */
async function loadedBy(path: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = (await Bun.file(path).text()).replaceAll(
    /^import .* with \{ type: "macro" \};$/gm,
    "",
  );
  const imports = new Bun.Transpiler({ loader: "ts" }).scanImports(text);
  for (const { kind, path: specifier } of imports) {
    if (kind !== "import-statement") continue;
    if (specifier.startsWith(".")) await loadedBy(resolve(dirname(path), specifier), seen);
    else if (specifier.startsWith("#"))
      await loadedBy(resolve(root, "src", specifier.slice(1)), seen);
    else seen.add(specifier);
  }
  return seen;
}

it.each(["client/index.ts", "auth/session.ts", "local/configuration/settings.ts"])(
  "loading %s loads no schema, HTTP or OpenID library",
  async (entry) => {
    const loaded = await loadedBy(resolve(root, "src", entry));
    expect(loaded.size).toBeGreaterThan(3);
    for (const heavy of ["zod", "ky", "oauth4webapi", "jose"]) expect(loaded).not.toContain(heavy);
  },
);

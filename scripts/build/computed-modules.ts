import { join } from "node:path";
import { zstandard } from "./kept-compression.ts";

const source = join(import.meta.dirname, "../../src");

/**
 * Own modules whose exports are plain data that takes the whole product to compute. The build
 * computes it, and the executable reads it as compressed JSON.
 */
const computed = [
  { path: "commands/registry.ts", file: "command-table.json.zst" },
  { path: "commands/answers.ts", file: "answer-schemas.json.zst" },
] as const;

/** The paths of these modules below `src`; each has an end-to-end test. */
export const computedModuleNames: readonly string[] = computed.map(({ path }) => path);

/** Adds the data to `stored`; returns the module in place of each of these modules. */
export async function computedModules(
  stored: Map<string, Uint8Array>,
): Promise<ReadonlyMap<string, string>> {
  const standIns = new Map<string, string>();
  for (const { path, file } of computed) {
    const exports: Readonly<Record<string, unknown>> = await import(join(source, path));
    stored.set(file, await zstandard(JSON.stringify(exports)));
    const lines = [
      `import path from ${JSON.stringify(`compressed:${file}`)} with { type: "file" };`,
      "const bytes = Bun.zstdDecompressSync(await Bun.file(path).bytes());",
      "const data = JSON.parse(new TextDecoder().decode(bytes));",
      ...Object.keys(exports).map((name) => `export const ${name} = data.${name};`),
    ];
    standIns.set(join(source, path), lines.join("\n"));
  }
  return standIns;
}

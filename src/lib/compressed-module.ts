/**
 * Imports a module that the executable holds compressed (`scripts/build/compressed-modules.ts`).
 * `path` names the file: one ES module's source, compressed with Zstandard.
 */
export async function importCompressed<Module>(path: string): Promise<Module> {
  const source = Bun.zstdDecompressSync(await Bun.file(path).bytes());
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return (await import(address)) as Module;
  } finally {
    URL.revokeObjectURL(address);
  }
}

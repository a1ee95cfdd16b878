/**
 * A module that the executable holds compressed, as a file: `scripts/build/compressed-modules.ts`
 * puts a call of this in its place. `path` is that file, Zstandard over one ES module's source.
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

/** Imports an ES module that the executable holds compressed with Zstandard. */
export async function importCompressed<Module>(path: string): Promise<Module> {
  const source = Bun.zstdDecompressSync(await Bun.file(path).bytes());
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return (await import(address)) as Module;
  } finally {
    URL.revokeObjectURL(address);
  }
}

import * as library from "unpdf/pdfjs" with { type: "file" };

/**
 * Loads the PDF library, pdf.js as unpdf bundles it for servers.
 *
 * It is embedded as a plain file and not as a module, since the bytecode of a module takes almost
 * three times its source; the build also compresses it (`scripts/build/compile.ts`): together
 * 5 MB of the executable for 50 ms of a child process that only PDFs start. Under Bun such an
 * import gives the file's path; a test runner that knows no file imports gives the module itself.
 */
export async function loadPdfLibrary(): Promise<typeof library> {
  const path: unknown = Reflect.get(library, "default");
  if (typeof path !== "string") return library;
  const stored = await Bun.file(path).bytes();
  if (!isCompressed(stored)) return await import(path);
  const source = new Blob([Bun.zstdDecompressSync(stored)], { type: "text/javascript" });
  const address = URL.createObjectURL(source);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Zstandard's magic number (RFC 8878, 3.1.1). */
function isCompressed(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

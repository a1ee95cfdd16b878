import * as library from "unpdf/pdfjs" with { type: "file" };

/**
 * Loads the PDF library, pdf.js as unpdf bundles it for servers.
 *
 * It is embedded as a plain file and not as a module, since the bytecode of a module takes almost
 * three times its source: 4 MB of the executable for 40 ms of a child process that only PDFs start.
 * Under Bun such an import gives the file's path; a test runner that knows no file imports gives
 * the module itself.
 */
export async function loadPdfLibrary(): Promise<typeof library> {
  const path: unknown = Reflect.get(library, "default");
  return typeof path === "string" ? await import(path) : library;
}

import { fileURLToPath } from "node:url";

/**
 * A data file of the PDF library: a character map of Chinese, Japanese and Korean fonts
 * (`cMapUrl`), or the WebAssembly that decodes fax, JBIG2 and JPEG 2000 images (`wasmUrl`). An
 * executable has them inside, compressed: the build replaces this module.
 */
export async function pdfData(folder: string, file: string): Promise<Uint8Array> {
  const path = fileURLToPath(import.meta.resolve(`pdfjs-dist/${folder}/${file}`));
  return await Bun.file(path).bytes();
}

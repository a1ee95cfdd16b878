import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/**
 * The recognition engine and the English language data. An executable has both inside, compressed:
 * the build replaces this module.
 */

async function packaged(name: string): Promise<Uint8Array> {
  return await Bun.file(fileURLToPath(import.meta.resolve(name))).bytes();
}

/** The WebAssembly of Tesseract, for processors with SIMD and models of the LSTM kind. */
export async function engineBytes(): Promise<Uint8Array> {
  return await packaged("tesseract.js-core/tesseract-core-simd-lstm.wasm");
}

export async function englishData(): Promise<Uint8Array> {
  return gunzipSync(await packaged("@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz"));
}

import type { TesseractModule } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import { engineBytes } from "./assets.ts";

/** Starts Tesseract, without language data and without its output. */
export async function startEngine(): Promise<TesseractModule> {
  const { default: create } = await import("tesseract.js-core/tesseract-core-simd-lstm.js");
  const quiet = (): void => {};
  return await create({
    wasmBinary: await engineBytes(),
    print: quiet,
    printErr: quiet,
    TesseractProgress: quiet,
  });
}

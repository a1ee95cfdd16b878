/** The part of Tesseract's WebAssembly module that is used; the package has no types. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  interface TesseractApi {
    /** 0 on success; `mode` 1 is LSTM only. */
    Init(dataPath: null, languages: string, mode: number): number;
    /** Takes the image from the file `/input`, turned as EXIF numbers it; 0 on success. */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    /** Tab-separated rows of blocks, lines and words with their boxes. */
    GetTSVText(page: number): string;
    /** The mean confidence, from 0 to 100. */
    MeanTextConf(): number;
    Clear(): void;
    End(): void;
  }
  export interface TesseractModule {
    readonly FS: {
      writeFile(path: string, bytes: Uint8Array): void;
      unlink(path: string): void;
    };
    readonly TessBaseAPI: new () => TesseractApi;
  }
  const create: (options: {
    readonly wasmBinary: Uint8Array;
    readonly print: () => void;
    readonly printErr: () => void;
    readonly TesseractProgress: () => void;
  }) => Promise<TesseractModule>;
  export default create;
}

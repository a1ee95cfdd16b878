/** The part of Tesseract's WebAssembly module that is used; the package has no types. */
declare module "tesseract.js-core/tesseract-core-simd-lstm.js" {
  interface TesseractApi {
    /** 0 on success; `mode` 1 is LSTM only. */
    Init(dataPath: null, languages: string, mode: number): number;
    /** Prepares the engine without a language, which only takes pictures then. */
    InitForAnalysePage(): void;
    SetPageSegMode(mode: number): void;
    /** Takes the image from `/input`, turned as EXIF numbers it, then by radians; 0 on success. */
    SetImageFile(orientation: number, angle: number): number;
    /** Writes the image to `/image.png`: 0 as it came, 1 gray, 2 black and white. */
    WriteImage(kind: number): void;
    /** The black and white image, of which the caller has a reference. */
    GetThresholdedImage(): object;
    Recognize(monitor: null): number;
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
      readFile(path: string): Uint8Array;
      unlink(path: string): void;
    };
    readonly TessBaseAPI: new () => TesseractApi;
    getPointer(object: object): number;
    getValue(address: number, type: "i32"): number;
    _free(address: number): void;
  }
  const create: (options: {
    readonly wasmBinary: Uint8Array;
    readonly print: () => void;
    readonly printErr: () => void;
    readonly TesseractProgress: () => void;
  }) => Promise<TesseractModule>;
  export default create;
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { TesseractModule } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import type { PageLayout, PlacedWord } from "../tables/word-places.ts";
import { engineBytes, englishData } from "./assets.ts";
import { directoriesOf } from "./tiff-directories.ts";

/** Each language multiplies the time of a page. */
const languagesAtMost = 4;
const languageBytesAtMost = 64 * 1024 * 1024;
/** A lower mean confidence means that the engine read letters into textures and photographs. */
const leastConfidence = 45;
const lstmOnly = 1;

type Api = InstanceType<TesseractModule["TessBaseAPI"]>;

/**
 * Reads the text of pictures with Tesseract. It takes 200 to 300 MiB, and the time of an untrusted
 * picture has no bound: run it in a watched child process only.
 */
export class Recognizer {
  readonly #module: TesseractModule;
  readonly #api: Api;

  private constructor(module: TesseractModule, api: Api) {
    this.#module = module;
    this.#api = api;
  }

  /** Loads English, and up to three languages (`<name>.traineddata`, or `.gz`) of a folder. */
  static async open(dataFolder: string | undefined): Promise<Recognizer> {
    const { default: create } = await import("tesseract.js-core/tesseract-core-simd-lstm.js");
    const quiet = (): void => {};
    const module = await create({
      wasmBinary: await engineBytes(),
      print: quiet,
      printErr: quiet,
      TesseractProgress: quiet,
    });
    const languages = new Map([["eng", await englishData()]]);
    if (dataFolder !== undefined) await addLanguages(languages, dataFolder);
    for (const [name, data] of languages) module.FS.writeFile(`${name}.traineddata`, data);
    const api = new module.TessBaseAPI();
    if (api.Init(null, [...languages.keys()].join("+"), lstmOnly) !== 0) {
      throw new TypeError("the language data of the text recognition cannot be used");
    }
    for (const name of languages.keys()) module.FS.unlink(`${name}.traineddata`);
    return new Recognizer(module, api);
  }

  /**
   * The text of a picture (PNG, JPEG, TIFF, WebP, BMP or PNM), with the places of its words in
   * dots; "" if it has none.
   */
  read(picture: Uint8Array): { readonly text: string; readonly layout?: PageLayout } {
    const none = { text: "" };
    this.#module.FS.writeFile("/input", picture);
    try {
      if (this.#api.SetImageFile(photoOrientation(picture), 0) !== 0) return none;
      if (this.#api.Recognize(null) !== 0) return none;
      if (this.#api.MeanTextConf() < leastConfidence) return none;
      return { text: this.#api.GetUTF8Text(), layout: layoutOf(this.#api.GetTSVText(0)) };
    } finally {
      this.#api.Clear();
      this.#module.FS.unlink("/input");
    }
  }
}

/** The rows of Tesseract's table: level 1 is the page, level 5 a word with its box. */
function layoutOf(table: string): PageLayout {
  let [width, height] = [0, 0];
  const words: PlacedWord[] = [];
  for (const row of table.split("\n")) {
    const [level, , , , , , x, y, wide, high, , text = ""] = row.split("\t");
    const box = { x: Number(x), y: Number(y), width: Number(wide), height: Number(high) };
    if (level === "1") [width, height] = [box.width, box.height];
    if (level === "5" && text.trim() !== "") words.push({ text: text.trim(), ...box });
  }
  return { width, height, words };
}

/** A file that is not language data makes the engine fail, so its name must be right. */
async function addLanguages(languages: Map<string, Uint8Array>, folder: string): Promise<void> {
  for (const file of (await readdir(folder)).toSorted()) {
    const name = /^([A-Za-z_]{3,40})\.traineddata(?:\.gz)?$/.exec(file)?.[1];
    if (name === undefined || name === "osd" || languages.size >= languagesAtMost) continue;
    const content = Bun.file(join(folder, file));
    if (content.size > languageBytesAtMost) continue;
    const bytes = await content.bytes();
    languages.set(name, file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  }
}

const upright = 1;
const orientation = 274;
const applicationData = 0xe1;
const startOfScan = 0xda;
const exifHeader = Buffer.from("Exif\0\0");

/** How the dots of a JPEG must be turned, from 1 to 8 as EXIF numbers it; 1 for other pictures. */
function photoOrientation(picture: Uint8Array): number {
  if (picture[0] !== 0xff || picture[1] !== 0xd8) return upright;
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== startOfScan) {
    const data = bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    if (bytes[at + 1] === applicationData && data.indexOf(exifHeader) === 0) {
      const [first] = directoriesOf(data.subarray(exifHeader.length), 1);
      const value = first?.valueOf(orientation) ?? upright;
      return value >= 1 && value <= 8 ? value : upright;
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return upright;
}

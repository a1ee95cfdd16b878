import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { TesseractModule } from "tesseract.js-core/tesseract-core-simd-lstm.js";
import type { PageLayout } from "../tables/word-places.ts";
import { englishData } from "./assets.ts";
import { clearDottedRules } from "./dotted-rules.ts";
import { startEngine } from "./engine.ts";
import { inkPicture, clearRules, type Ink } from "./ink.ts";
import { densestLines, pageAngles, type PageAngle } from "./page-angle.ts";
import { turnedBack, turnedOrientation, type PageTurn } from "./page-turn.ts";
import { recognisedText } from "./recognised-text.ts";
import { directoriesOf } from "./tiff-directories.ts";

/** Each language multiplies the time of a page. */
const languagesAtMost = 4;
const languageBytesAtMost = 64 * 1024 * 1024;
const lstmOnly = 1;
const singleBlock = 6;

/** A way to find the lines of a page, and the mean confidence that its text must have. */
interface Segmentation {
  readonly mode: number;
  readonly least: number;
}

/**
 * The segmentation of a page, and of one block of text if that is clear. A lower confidence means
 * that the engine read letters into textures and photographs.
 */
const automatic: Segmentation = { mode: 3, least: 45 };
const oneBlock: Segmentation = { mode: singleBlock, least: 75 };
/** The engine reads lines that lean less as they are. */
const leastDegrees = 0.7;
/** The confidence of lines that are upright, and how much more those of the other way must have. */
const surelyUpright = 75;
const clearlySurer = 10;

/** The dots of ruling lines that make it worthwhile to read the page without them. */
const leastRules = 2;
/** The fields of an image in the engine's memory, four bytes each. */
const imageFields = { width: 0, height: 1, wordsOfRow: 4, references: 5, data: 12 } as const;

type Api = InstanceType<TesseractModule["TessBaseAPI"]>;

/** A picture, its dark dots without rules, and how its lines lie. */
interface Page {
  readonly picture: Uint8Array;
  readonly orientation: number;
  readonly ink: Ink;
  readonly hasRules: boolean;
  /** The two directions of its lines, the likelier one first. */
  readonly angles: readonly [PageAngle, PageAngle];
}

/** A way to hold a page. */
interface Way {
  readonly angle: PageAngle;
  readonly isUpsideDown: boolean;
}

interface Recognised {
  /** The mean over its words, from 0 to 100. */
  readonly confidence: number;
  readonly text: string;
  readonly layout?: PageLayout;
}

/**
 * Reads the text of pictures with Tesseract. It takes 200 to 300 MiB, and the time of an untrusted
 * picture has no bound: run it in a watched child process only.
 */
export class Recognizer {
  readonly #module: TesseractModule;
  readonly #api: Api;
  /** Addresses of images, of which the engine and this reader have a reference. */
  readonly #taken: number[] = [];
  /** The picture that the engine has, since taking and darkening it costs as much as two lines. */
  #shown: { readonly picture: Uint8Array; readonly turned: string } | undefined;

  private constructor(module: TesseractModule, api: Api) {
    this.#module = module;
    this.#api = api;
  }

  /** Loads English, and up to three languages (`<name>.traineddata`, or `.gz`) of a folder. */
  static async open(dataFolder: string | undefined): Promise<Recognizer> {
    const module = await startEngine();
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
   * The text of a picture (PNG, JPEG, TIFF, WebP, BMP or PNM) with marked tables, and the places of
   * its words in dots; "" if it has none. Pages may be turned, and lean by up to six degrees.
   */
  read(picture: Uint8Array): { readonly text: string; readonly layout?: PageLayout } {
    try {
      const page = this.#measured(picture);
      if (page === undefined) return { text: "" };
      const likely: Way = { angle: page.angles[0], isUpsideDown: false };
      let turn = this.#show(page, likely);
      let found = this.#recognised(automatic);
      // A page that is surely upright needs no look at its lines, which takes a tenth of its time.
      if (found.confidence < surelyUpright) {
        const way = this.#surestWay(page, likely);
        if (way !== likely || found.text === "") turn = this.#show(page, way);
        if (way !== likely) found = this.#recognised(automatic);
      }
      if (found.text === "") found = this.#recognised(oneBlock);
      // Specks and ruling lines of a page with few lines may look like lines the other way.
      if (found.text === "") {
        turn = this.#show(page, { angle: page.angles[1], isUpsideDown: false });
        found = this.#recognised(automatic);
      }
      const { text, layout } = found;
      return layout === undefined ? { text } : { text, layout: turnedBack(layout, turn) };
    } finally {
      this.#shown = undefined;
      this.#api.Clear();
      this.#module.FS.unlink("/input");
      this.#free();
    }
  }

  /** Frees the images that were taken, if the engine has given up its reference to them. */
  #free(): void {
    const { getValue, _free: free } = this.#module;
    for (const at of this.#taken.splice(0)) {
      if (getValue(at + 4 * imageFields.references, "i32") !== 1) continue;
      free(getValue(at + 4 * imageFields.data, "i32"));
      free(at);
    }
  }

  /** Undefined for a picture that is unreadable or blank. */
  #measured(picture: Uint8Array): Page | undefined {
    const orientation = photoOrientation(picture);
    if (!this.#set(picture, orientation)) return undefined;
    const ink = this.#ink();
    if (!ink.dots.includes(1)) return undefined;
    const hasRules = clearAllRules(ink) > leastRules * Math.min(ink.width, ink.height);
    return { picture, orientation, ink, hasRules, angles: pageAngles(ink) };
  }

  /**
   * Gives the engine the page held that way, with its lines level and without rules; returns how it
   * was turned.
   */
  #show({ picture, orientation, ink, hasRules }: Page, { angle, isUpsideDown }: Way): PageTurn {
    const degrees = Math.abs(angle.degrees) < leastDegrees ? 0 : -angle.degrees;
    const quarters = (angle.isSideways ? 1 : 0) + (isUpsideDown ? 2 : 0);
    if (hasRules && degrees === 0) {
      this.#set(inkPicture(ink), turnedOrientation(upright, quarters));
      return { quarters, degrees };
    }
    this.#set(picture, turnedOrientation(orientation, quarters), degrees);
    if (hasRules) {
      const straight = this.#ink();
      clearAllRules(straight);
      this.#set(inkPicture(straight), upright);
    }
    return { quarters, degrees };
  }

  /** Reads the page; the text of one that is not clear enough is "". */
  #recognised({ mode, least }: Segmentation): Recognised {
    this.#api.SetPageSegMode(mode);
    if (this.#api.Recognize(null) !== 0) return { confidence: 0, text: "" };
    const confidence = this.#api.MeanTextConf();
    if (confidence < least) return { confidence, text: "" };
    const { text, layout } = recognisedText(this.#api.GetTSVText(0));
    return text === "" ? { confidence, text } : { confidence, text, layout };
  }

  /**
   * Reads a few lines in each way, from the likely one on. Columns of a list may be clearer than
   * its lines.
   */
  #surestWay({ ink, angles }: Page, likely: Way): Way {
    let [surest, most] = [likely, 0];
    for (const angle of angles) {
      const sample = densestLines(ink, angle);
      for (const isUpsideDown of [false, true]) {
        const dots = isUpsideDown ? sample.dots.toReversed() : sample.dots;
        const sure = this.#sureness({ ...sample, dots });
        const isLikely = angle === likely.angle && !isUpsideDown;
        if (isLikely) most = sure;
        else if (sure > most + clearlySurer) [surest, most] = [{ angle, isUpsideDown }, sure];
        if (most >= surelyUpright) return surest;
      }
    }
    return surest;
  }

  #sureness(lines: Ink): number {
    if (!this.#set(inkPicture(lines), upright)) return 0;
    this.#api.SetPageSegMode(singleBlock);
    return this.#api.Recognize(null) === 0 ? this.#api.MeanTextConf() : 0;
  }

  #set(picture: Uint8Array, orientation: number, degrees = 0): boolean {
    const turned = `${orientation} ${degrees}`;
    if (this.#shown?.picture === picture && this.#shown.turned === turned) return true;
    this.#shown = undefined;
    this.#module.FS.writeFile("/input", picture);
    if (this.#api.SetImageFile(orientation, (degrees * Math.PI) / 180) !== 0) return false;
    this.#shown = { picture, turned };
    return true;
  }

  /** The dark dots of the engine's picture, from the structure in which it keeps them. */
  #ink(): Ink {
    const { getValue } = this.#module;
    const picture = this.#api.GetThresholdedImage();
    const at = this.#module.getPointer(picture);
    const field = (index: number): number => getValue(at + 4 * index, "i32");
    this.#taken.push(at);
    const [width, height] = [field(imageFields.width), field(imageFields.height)];
    const [wordsOfRow, data] = [field(imageFields.wordsOfRow), field(imageFields.data)];
    const dots = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let word = 0; word < wordsOfRow; word += 1) {
        const bits = getValue(data + 4 * (y * wordsOfRow + word), "i32");
        if (bits === 0) continue;
        const first = word * 32;
        const count = Math.min(32, width - first);
        for (let bit = 0; bit < count; bit += 1) {
          if ((bits >>> (31 - bit)) & 1) dots[y * width + first + bit] = 1;
        }
      }
    }
    return { width, height, dots };
  }
}

/** Clears ruling lines of any kind in place; returns the number of dots that were cleared. */
function clearAllRules(ink: Ink): number {
  return clearRules(ink) + clearDottedRules(ink);
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

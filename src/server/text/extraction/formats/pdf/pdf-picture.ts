import type { getDocument, OPS } from "pdfjs-dist";
import type { PagePicture } from "../../extracted-document.ts";
import { limitExceeded } from "../../extraction-error.ts";
import type { PageSteps, StepBudget } from "./step-budget.ts";

type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;
export type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;
export type Operators = typeof OPS;

/** `a b c d e f` of ISO 32000-1, 8.3.3. */
type Matrix = readonly [number, number, number, number, number, number];

/** An image of a page; `matrix` maps its unit square to the page. */
interface Placement {
  readonly matrix: Matrix;
  readonly image: DecodedImage;
}

/** Gray values of an image, one byte each; `isMask` draws only its dark dots. */
interface DecodedImage {
  readonly width: number;
  readonly height: number;
  readonly gray: Uint8Array;
  readonly isMask: boolean;
}

const imagesAtMost = 400;
const pixelsAtMost = 40_000_000;
const largePixels = 10_000_000;
/** Dots per point: 110 to 400 dpi. */
const leastScale = 110 / 72;
const mostScale = 400 / 72;

/** Draws the images of a page as one gray picture (PGM), at the resolution of the largest one. */
export async function pdfPicture(
  page: PdfPage,
  operators: Operators,
  budget: StepBudget,
): Promise<PagePicture> {
  const { fnArray, argsArray } = await operatorsOf(page, budget.ofPage(page.pageNumber));
  const placements: Placement[] = [];
  const stack: Matrix[] = [];
  const ink = new Ink(operators);
  const letters = new ShownLetters(operators);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view.map(Number);
  const pageArea = Math.abs((right - left) * (top - bottom));
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [index, operator] of fnArray.entries()) {
    const values: unknown = argsArray[index];
    const args: readonly unknown[] = Array.isArray(values) ? values : [];
    ink.add(operator, args);
    letters.add(operator, args);
    if (operator === operators.save) stack.push(matrix);
    else if (operator === operators.restore) matrix = stack.pop() ?? matrix;
    else if (operator === operators.transform) matrix = product(matrix, matrixOf(args));
    else if (operator === operators.paintFormXObjectBegin) {
      stack.push(matrix);
      matrix = product(matrix, matrixOf(args[0]));
    } else if (operator === operators.paintFormXObjectEnd) matrix = stack.pop() ?? matrix;
    else if (isImage(operator, operators) && placements.length < imagesAtMost) {
      const isMask = operator === operators.paintImageMaskXObject;
      const image = await decoded(page, args[0], isMask);
      if (image === null) ink.isVisible = true;
      else {
        placements.push({ matrix, image });
        const [a, b, c, d] = matrix;
        const covers = Math.abs(a * d - b * c) / Math.max(1, pageArea);
        if (!isMask && covers > coveringShare) letters.areVisible = false;
      }
    }
  }
  if (placements.length === 0) {
    return { kind: ink.isVisible || letters.haveInk ? "drawing" : "blank" };
  }
  const lacksText = letters.areVisible ? { lacksText: true as const } : {};
  return { kind: "picture", bytes: draw(page, placements), ...lacksText };
}

/** An image of this share of the page hides what was drawn before it. */
const coveringShare = 0.9;
/** Modes of text that draw no letter (ISO 32000-1, 9.3.6): a scan has its text in one of them. */
const hiddenModes: ReadonlySet<unknown> = new Set([3, 7]);
const letter = /\p{L}/u;

/** Finds the signs of fonts that a page shows, which the picture does not have. */
class ShownLetters {
  /** True if one is a letter. */
  areVisible = false;
  /** True if one has ink: the signs of a symbol font may be no text. */
  haveInk = false;
  #mode: unknown = 0;
  readonly #saved: unknown[] = [];

  constructor(private readonly operators: Operators) {}

  add(operator: number, args: readonly unknown[]): void {
    const all = this.operators;
    if (operator === all.save || operator === all.paintFormXObjectBegin) {
      this.#saved.push(this.#mode);
    } else if (operator === all.restore || operator === all.paintFormXObjectEnd) {
      this.#mode = this.#saved.pop() ?? 0;
    } else if (operator === all.setTextRenderingMode) [this.#mode] = args;
    else if (operator === all.showText && !this.areVisible && !hiddenModes.has(this.#mode)) {
      const signs: readonly unknown[] = Array.isArray(args[0]) ? args[0] : [];
      this.areVisible = signs.some(isLetter);
      this.haveInk ||= signs.some(hasInk);
    }
  }
}

function hasInk(glyph: unknown): boolean {
  if (typeof glyph !== "object" || glyph === null || !("unicode" in glyph)) return false;
  return typeof glyph.unicode === "string" && glyph.unicode.trim() !== "";
}

function isLetter(glyph: unknown): boolean {
  if (typeof glyph !== "object" || glyph === null || !("unicode" in glyph)) return false;
  return typeof glyph.unicode === "string" && letter.test(glyph.unicode);
}

/** A page takes far less; patterns and glyphs have steps that no part of the list shows. */
const listingMs = 10_000;

/**
 * The page's operators, refused while they are listed when the page has too many. The library has
 * no other way to see them than its method that adds a part to the list.
 */
async function operatorsOf(page: PdfPage, steps: PageSteps) {
  const add: unknown = Reflect.get(page, "_renderPageChunk");
  if (typeof add !== "function") throw new TypeError("the PDF library has changed");
  const refused = Promise.withResolvers<never>();
  let isRefused = false;
  const addCounted = (part: { readonly length: number }, state: unknown): void => {
    // The list of a refused page stops growing, although the library still makes its parts.
    if (isRefused) return;
    try {
      steps.take(part.length);
      add.call(page, part, state);
    } catch (error) {
      isRefused = true;
      refused.reject(error);
    }
  };
  Object.defineProperty(page, "_renderPageChunk", { value: addCounted, configurable: true });
  const timer = setTimeout(
    () =>
      refused.reject(
        limitExceeded(`the drawing of page ${page.pageNumber} takes longer than 10 seconds`),
      ),
    listingMs,
  );
  try {
    return await Promise.race([page.getOperatorList(), refused.promise]);
  } finally {
    clearTimeout(timer);
    Reflect.deleteProperty(page, "_renderPageChunk");
  }
}

const white = "#ffffff";

/**
 * True if a page shows something: a path that is neither white nor only clips, or an image that
 * can't be decoded.
 */
class Ink {
  isVisible = false;
  #fill = "";
  #stroke = "";
  readonly #saved: (readonly [string, string])[] = [];

  constructor(private readonly operators: Operators) {}

  add(operator: number, args: readonly unknown[]): void {
    const all = this.operators;
    if (operator === all.save || operator === all.paintFormXObjectBegin) {
      this.#saved.push([this.#fill, this.#stroke]);
    } else if (operator === all.restore || operator === all.paintFormXObjectEnd) {
      [this.#fill, this.#stroke] = this.#saved.pop() ?? ["", ""];
    } else if (operator === all.setFillRGBColor) this.#fill = String(args[0]);
    else if (operator === all.setStrokeRGBColor) this.#stroke = String(args[0]);
    else if (operator === all.setFillColorN) this.#fill = "";
    else if (operator === all.setStrokeColorN) this.#stroke = "";
    else if (operator === all.shadingFill) this.isVisible = true;
    else if (operator === all.constructPath) this.isVisible ||= this.#paints(args[0]);
  }

  #paints(paint: unknown): boolean {
    const all = this.operators;
    if (paint === all.endPath) return false;
    const fills = paint === all.fill || paint === all.eoFill;
    const strokes = paint === all.stroke || paint === all.closeStroke;
    return (!strokes && this.#fill !== white) || (!fills && this.#stroke !== white);
  }
}

function isImage(operator: number, operators: Operators): boolean {
  return (
    operator === operators.paintImageXObject ||
    operator === operators.paintInlineImageXObject ||
    operator === operators.paintImageMaskXObject
  );
}

function matrixOf(value: unknown): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = (
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : []
  ).map(Number);
  return [a, b, c, d, e, f];
}

/** The product that applies `inner` first, then `outer`. */
function product(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** The library's image: an object, or the name under which the page has one. */
async function decoded(
  page: PdfPage,
  value: unknown,
  isMask: boolean,
): Promise<DecodedImage | null> {
  let found = await stored(page, value);
  if (isMask && typeof found === "object" && found !== null && "data" in found) {
    const data: unknown = found.data;
    // A mask that is used more than once has the name of its data.
    if (typeof data === "string") found = { ...found, data: await stored(page, data) };
  }
  if (typeof found !== "object" || found === null) return null;
  const { width, height, kind, data }: Record<string, unknown> = { ...found };
  const bytes: unknown =
    typeof data === "object" && data !== null && "data" in data ? data.data : data;
  if (typeof width !== "number" || typeof height !== "number" || !isBytes(bytes)) return null;
  if (width * height > pixelsAtMost) return null;
  // The library needed memory to unpack a large image, which is freed before more is taken.
  if (width * height > largePixels) Bun.gc(true);
  const gray = grayOf(bytes, width, height, isMask ? 1 : kind);
  return gray === null ? null : { width, height, gray, isMask };
}

async function stored(page: PdfPage, value: unknown): Promise<unknown> {
  if (typeof value !== "string") return value;
  const objects = value.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(value, resolve));
}

function isBytes(value: unknown): value is Uint8Array | Uint8ClampedArray {
  return value instanceof Uint8Array || value instanceof Uint8ClampedArray;
}

/** Kinds of the library: 1 is one bit a dot, 2 is RGB, 3 is RGBA. */
function grayOf(
  bytes: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  kind: unknown,
): Uint8Array | null {
  const gray = new Uint8Array(width * height);
  if (kind === 1) {
    const stride = (width + 7) >> 3;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const byte = bytes[y * stride + (x >> 3)] ?? 0xff;
        gray[y * width + x] = (byte >> (7 - (x & 7))) & 1 ? 255 : 0;
      }
    }
    return gray;
  }
  const step = kind === 2 ? 3 : kind === 3 ? 4 : 0;
  if (step === 0) return null;
  for (let index = 0; index < gray.length; index += 1) {
    const at = index * step;
    const [red = 255, green = 255, blue = 255] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    gray[index] = (red * 77 + green * 151 + blue * 28) >> 8;
  }
  return gray;
}

function draw(page: PdfPage, placements: readonly Placement[]): Uint8Array {
  const plain = page.getViewport({ scale: 1 });
  const scale = scaleFor(placements, plain.width * plain.height);
  const { width: wide, height: high, transform } = page.getViewport({ scale });
  const [width, height] = [Math.max(1, Math.round(wide)), Math.max(1, Math.round(high))];
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const picture = new Uint8Array(header.length + width * height).fill(255);
  picture.set(header);
  const dots = picture.subarray(header.length);
  for (const { matrix, image } of placements) {
    paint(dots, width, height, product(matrixOf(transform), matrix), image);
  }
  return picture;
}

function scaleFor(placements: readonly Placement[], area: number): number {
  const native = placements
    .map(({ matrix: [a, b, c, d], image }) => ({
      covers: Math.abs(a * d - b * c),
      scale: image.width / Math.max(1, Math.hypot(a, b)),
    }))
    .reduce((largest, each) => (each.covers > largest.covers ? each : largest));
  const wanted = Math.min(mostScale, Math.max(leastScale, native.scale));
  return Math.min(wanted, Math.sqrt(pixelsAtMost / Math.max(1, area)));
}

/** Fills the dots that the unit square covers from the nearest dots of the image. */
function paint(
  dots: Uint8Array,
  width: number,
  height: number,
  [a, b, c, d, e, f]: Matrix,
  image: DecodedImage,
): void {
  const determinant = a * d - b * c;
  if (Math.abs(determinant) < 1e-6) return;
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const [left, right] = [
    Math.max(0, Math.floor(Math.min(...xs))),
    Math.min(width, Math.ceil(Math.max(...xs))),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(Math.min(...ys))),
    Math.min(height, Math.ceil(Math.max(...ys))),
  ];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const u = Math.floor(((d * dx - c * dy) / determinant) * image.width);
      // The first row of an image is at the top of the unit square.
      const v = Math.floor((1 - (a * dy - b * dx) / determinant) * image.height);
      if (u < 0 || v < 0 || u >= image.width || v >= image.height) continue;
      const value = image.gray[v * image.width + u] ?? 255;
      if (!image.isMask || value === 0) dots[y * width + x] = value;
    }
  }
}

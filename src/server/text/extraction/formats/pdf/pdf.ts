import type { getDocument } from "pdfjs-dist";
import {
  metadataFrom,
  type DocumentMetadata,
  type PagePicture,
  type PageWriter,
} from "../../extracted-document.ts";
import { corrupt, encrypted, ExtractionError, limitExceeded } from "../../extraction-error.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";
import { joinTexts } from "../../../tables/table-marks.ts";
import type { PageLayout } from "../../../tables/word-places.ts";
import {
  attachedFiles,
  contentsOf,
  fileOfNote,
  type AttachedFile,
} from "../embedded/attached-files.ts";
import { readFiles, type FileReader } from "../embedded/embedded-files.ts";
import { pdfData } from "./pdf-data.ts";
import { joinSpacedLetters } from "./spaced-letters.ts";
import { missingTitles, readBookmarks } from "./bookmarks.ts";
import { layoutDirections } from "./page-directions.ts";
import { readRuns } from "./pdf-runs.ts";
import { inStructureOrder } from "./structure-order.ts";
import { StepBudget } from "./step-budget.ts";
import { pdfPicture, type Operators, type PdfPage } from "./pdf-picture.ts";

const what = "PDF";

type Library = Awaited<ReturnType<typeof loadLibrary>>;
type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;

/**
 * Reads a PDF page by page, with its form fields, then the files that are attached to it. An
 * unreadable page stays empty with a warning. Run it in a watched child process only: a PDF of a
 * kilobyte can unpack to gigabytes.
 */
export async function extractPdf(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  read: FileReader,
): Promise<DocumentMetadata> {
  const library = await loadLibrary();
  // Read first, because the library takes ownership of the bytes.
  const isWhole = endsLikePdf(bytes);
  // The library refuses a Buffer, as parts of a message are.
  const data = Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : bytes;
  const task = library.getDocument({ ...documentOptions, data });
  try {
    const document = await openDocument(task.promise);
    const total = document.numPages;
    if (total > limits.pages) throw limitExceeded(`it has more than ${limits.pages} pages`);
    if (!isWhole) {
      writer.warn("This PDF is cut off or repaired; some of its text may be missing.");
    }
    const onPages = await readPages(library, document, new StepBudget(limits), writer);
    const attached = [...(await attachedFiles(document)), ...onPages];
    const contents = contentsOf(document, attached, (name) => {
      writer.leaveOut(`The attachment ${name} was not read: it is damaged.`);
    });
    await readFiles(contents, { limits, writer, read });
    const { info } = await document.getMetadata();
    if (isDynamicForm(info)) writer.leaveOut(formNotRead);
    const created = library.PDFDateString.toDateObject(textOf(info, "CreationDate"));
    return metadataFrom(textOf(info, "Title"), textOf(info, "Author"), created?.toISOString());
  } finally {
    await task.destroy();
  }
}

const formNotRead =
  "This PDF is a form whose pages are made by Adobe Reader (XFA): its text was not read. Print it " +
  "to a new PDF there and send that.";

/** True for a form that only an XFA program shows; other programs show a page that says so. */
function isDynamicForm(info: object): boolean {
  const has = (name: string): boolean => Reflect.get(info, name) === true;
  return has("IsXFAPresent") && !has("IsAcroFormPresent");
}

/** The library and the part of it that reads, which would start another thread by itself. */
async function loadLibrary() {
  const [library, pdfjsWorker] = await Promise.all([
    import("pdfjs-dist"),
    import("pdfjs-dist/build/pdf.worker.mjs"),
  ]);
  Object.assign(globalThis, { pdfjsWorker });
  return library;
}

/** Gives the library the data files that the program has with it; nothing is fetched. */
class PackedData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    // The library does without a standard font, since nothing is drawn with it.
    if (kind === "standardFontDataUrl") throw new Error("Standard fonts are not packed");
    return await pdfData(kind === "wasmUrl" ? "wasm" : "cmaps", filename);
  }
}

const documentOptions = {
  // Only text is needed, and stdout must carry nothing but the result.
  useSystemFonts: false,
  disableFontFace: true,
  // Pixels instead of the bitmaps of a browser. `pdf-picture.ts` has the limit of an image: the
  // library leaves out those above its own without a trace, and their pages would look blank.
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  BinaryDataFactory: PackedData,
  useWorkerFetch: false,
  cMapUrl: "cmaps/",
  wasmUrl: "wasm/",
  verbosity: 0,
};

async function openDocument(loading: Promise<PdfDocument>): Promise<PdfDocument> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") throw encrypted(what);
    throw corrupt(what, error);
  }
}

const pagesBetweenCleanups = 100;

/** Frees what the library keeps of pages that were read: fonts, streams and objects. */
async function forgetPages(document: PdfDocument): Promise<void> {
  await document.cleanup();
  Bun.gc(true);
}

async function readPages(
  library: Library,
  document: PdfDocument,
  budget: StepBudget,
  writer: PageWriter,
): Promise<AttachedFile[]> {
  const total = document.numPages;
  const options: PageOptions = {
    isTagged: isMarked(await document.getMarkInfo()),
    // Damaged bookmarks are no reason to lose the text.
    bookmarks: await readBookmarks(document).catch(() => new Map<number, string[]>()),
    budget,
    operators: library.OPS,
    files: [],
  };
  let unreadable = 0;
  for (let number = 1; number <= total; number += 1) {
    const read = await readPage(document, number, options).catch((error: unknown) => {
      if (error instanceof ExtractionError) throw error;
      return null;
    });
    if (read === null) {
      unreadable += 1;
      writer.warn(`Page ${number} could not be read.`);
    }
    const picture =
      read === null ? undefined : () => readPicture(library, document, number, budget);
    await writer.page(read?.text ?? "", picture, read?.layout);
    await writer.progress(number, total);
    if (number % pagesBetweenCleanups === 0) await forgetPages(document);
  }
  if (unreadable === total) throw corrupt(what);
  return options.files;
}

/** The library gives a map, although its types name an object. */
function isMarked(information: unknown): boolean {
  return information instanceof Map && information.get("Marked") === true;
}

async function readPicture(
  library: Library,
  document: PdfDocument,
  number: number,
  budget: StepBudget,
): Promise<PagePicture> {
  const page = await document.getPage(number);
  try {
    const picture = await pdfPicture(page, library.OPS, budget);
    const isDamaged =
      picture.kind === "blank" && (await hasDamage(library, page, await document.getData()));
    return isDamaged ? { kind: "drawing" } : picture;
  } finally {
    page.cleanup();
  }
}

/**
 * True if the library left out a part of the page that it could not read, such as a stencil: a
 * strict reading ends there, with a shorter list.
 */
async function hasDamage({ getDocument }: Library, page: PdfPage, data: Uint8Array) {
  const task = getDocument({ ...documentOptions, data, stopAtErrors: true });
  try {
    const strict = await (await task.promise).getPage(page.pageNumber);
    const [all, read] = [await page.getOperatorList(), await strict.getOperatorList()];
    return read.fnArray.length < all.fnArray.length;
  } catch {
    return true;
  } finally {
    await task.destroy();
  }
}

interface PageOptions {
  /** True if the file says that its content is marked by its structure. */
  readonly isTagged: boolean;
  /** The titles of bookmarks by the page to which they lead. */
  readonly bookmarks: ReadonlyMap<number, readonly string[]>;
  readonly budget: StepBudget;
  readonly operators: Operators;
  /** The files that notes of pages have, as they are found. */
  readonly files: AttachedFile[];
}

async function readPage(
  document: PdfDocument,
  number: number,
  { isTagged, bookmarks, budget, operators, files }: PageOptions,
): Promise<{ text: string; layout: PageLayout }> {
  const page = await document.getPage(number);
  try {
    const drawn = await readRuns(page, budget, { isTagged });
    const tree = isTagged ? await page.getStructTree().catch(() => null) : null;
    const { runs: ordered, hasStructure } = inStructureOrder(drawn, tree);
    const runs = await joinSpacedLetters(page, ordered, operators);
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view.map(Number);
    const { text, layout } = layoutDirections({ runs, hasStructure }, [left, bottom, right, top]);
    const notes = await readAnnotations(page, files);
    const titles = missingTitles(bookmarks.get(number) ?? [], text);
    const lines = titles.map((title) => `Bookmark: ${title}`);
    const shown = isOfSigns(text) ? "" : text;
    return { text: joinTexts([shown, ...notes, ...lines], "\n"), layout };
  } finally {
    page.cleanup();
  }
}

const signsOfText = 5;

/**
 * True for the text of a symbol font without a map to Unicode: signs of many kinds, and no letter.
 * Such a page has no text, although it shows something.
 */
function isOfSigns(text: string): boolean {
  const others = text.replaceAll(/[ªº]/g, "");
  if (/[\p{L}\p{N}]/u.test(others)) return false;
  return new Set(text.match(/[^\s\x21-\x7e]/gu)).size >= signsOfText;
}

/**
 * The filled form fields of this page as "label: value", the texts that were typed on it, and its
 * notes. Links and pop-ups have no text that is not elsewhere.
 */
async function readAnnotations(page: PdfPage, files: AttachedFile[]): Promise<string[]> {
  const lines: string[] = [];
  for (const annotation of await page.getAnnotations()) {
    const { subtype, contentsObj, titleObj, textContent } = annotation;
    if (subtype === "FileAttachment") files.push(...fileOfNote(annotation));
    if (subtype === "Widget") {
      lines.push(...fieldLine(annotation));
    } else if (subtype !== "Link" && subtype !== "Popup") {
      const text = oneLine(contentsObj?.str) || linesOf(textContent);
      const author = oneLine(titleObj?.str);
      if (text === "") continue;
      if (subtype === "FreeText") lines.push(text);
      else lines.push(author === "" ? `Note: ${text}` : `Note by ${author}: ${text}`);
    }
  }
  return lines;
}

type Annotation = Awaited<ReturnType<PdfPage["getAnnotations"]>>[number];

function fieldLine(annotation: Annotation): string[] {
  const { fieldType, fieldValue, textContent, alternativeText, fieldName } = annotation;
  // A signature shows who signed and when; its value is no text.
  if (fieldType === "Sig") return [linesOf(textContent)].filter((text) => text !== "");
  const stored = oneLine(Array.isArray(fieldValue) ? fieldValue.join(", ") : fieldValue);
  // A long value may be a stream, which the library shows only as the lines that are drawn.
  const value = stored === "" && fieldType === "Tx" ? linesOf(textContent) : stored;
  if (value === "" || value === "Off") return [];
  // The name for people may be a sentence, or end as a label on paper does.
  const name = [alternativeText, fieldName].map((text) => oneLine(text).replace(/[\s.:]+$/, ""));
  return [`${name.find((text) => text !== "") ?? "Field"}: ${value}`];
}

function linesOf(drawn: unknown): string {
  return Array.isArray(drawn) ? oneLine(drawn.join(" ")) : "";
}

function oneLine(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}

/** A complete PDF has an end mark in its last kilobyte (ISO 32000-1, 7.5.5). */
function endsLikePdf(bytes: Uint8Array): boolean {
  const tail = new TextDecoder("latin1").decode(bytes.subarray(-1024));
  return tail.includes("%%EOF");
}

function textOf(info: object, key: string): string {
  const value: unknown = Reflect.get(info, key);
  return typeof value === "string" ? value : "";
}

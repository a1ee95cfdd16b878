import type { getDocument } from "unpdf/pdfjs";
import {
  metadataFrom,
  type FormatReader,
  type PagePicture,
  type PageWriter,
} from "../../extracted-document.ts";
import { corrupt, encrypted, ExtractionError, limitExceeded } from "../../extraction-error.ts";
import type { PageLayout } from "../../../tables/word-places.ts";
import { layoutText, type TextRun } from "./pdf-layout.ts";
import { StepBudget } from "./step-budget.ts";
import { pdfPicture, type Operators, type PdfPage } from "./pdf-picture.ts";

const what = "PDF";

type TextContent = Awaited<ReturnType<PdfPage["getTextContent"]>>;
type PdfDocument = Awaited<ReturnType<typeof getDocument>["promise"]>;

/**
 * Reads a PDF page by page, with its form fields. An unreadable page stays empty with a warning.
 * Run it in a watched child process only: a PDF of a kilobyte can unpack to gigabytes.
 */
export const extractPdf: FormatReader = async (bytes, limits, writer) => {
  const library = await import("unpdf/pdfjs");
  // Read first, because the library takes ownership of the bytes.
  const isWhole = endsLikePdf(bytes);
  const task = library.getDocument({
    data: bytes,
    // Only text is needed, and stdout must carry nothing but the result.
    useSystemFonts: false,
    disableFontFace: true,
    // Pixels instead of the bitmaps of a browser. `pdf-picture.ts` has the limit of an image: the
    // library leaves out those above its own without a trace, and their pages would look blank.
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: 0,
  });
  try {
    const document = await openDocument(task.promise);
    const total = document.numPages;
    if (total > limits.pages) throw limitExceeded(`it has more than ${limits.pages} pages`);
    if (!isWhole) {
      writer.warn("This PDF is cut off or repaired; some of its text may be missing.");
    }
    await readPages(library, document, new StepBudget(limits), writer);
    const { info } = await document.getMetadata();
    const created = library.PDFDateString.toDateObject(textOf(info, "CreationDate"));
    return metadataFrom(textOf(info, "Title"), textOf(info, "Author"), created?.toISOString());
  } finally {
    await task.destroy();
  }
};

async function openDocument(loading: Promise<PdfDocument>): Promise<PdfDocument> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") throw encrypted(what);
    throw corrupt(what, error);
  }
}

async function readPages(
  library: { readonly OPS: Operators },
  document: PdfDocument,
  budget: StepBudget,
  writer: PageWriter,
): Promise<void> {
  const total = document.numPages;
  const hasForm = (await document.getFieldObjects()) !== null;
  let unreadable = 0;
  for (let number = 1; number <= total; number += 1) {
    const read = await readPage(document, number, { hasForm, budget }).catch((error: unknown) => {
      if (error instanceof ExtractionError) throw error;
      return null;
    });
    if (read === null) {
      unreadable += 1;
      writer.warn(`Page ${number} could not be read.`);
    }
    const picture =
      read === null
        ? undefined
        : () => readPicture(document, number, { operators: library.OPS, budget });
    await writer.page(read?.text ?? "", picture, read?.layout);
    await writer.progress(number, total);
  }
  if (unreadable === total) throw corrupt(what);
}

async function readPicture(
  document: PdfDocument,
  number: number,
  { operators, budget }: { readonly operators: Operators; readonly budget: StepBudget },
): Promise<PagePicture> {
  const page = await document.getPage(number);
  try {
    return await pdfPicture(page, operators, budget);
  } finally {
    page.cleanup();
  }
}

async function readPage(
  document: PdfDocument,
  number: number,
  { hasForm, budget }: { readonly hasForm: boolean; readonly budget: StepBudget },
): Promise<{ text: string; layout: PageLayout }> {
  const page = await document.getPage(number);
  try {
    const runs = await readRuns(page, budget);
    const fields = hasForm ? await readFields(page) : [];
    const { text, words } = layoutText(runs);
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view.map(Number);
    const placed = words.map(({ text: word, start, end, y, size }) => ({
      text: word,
      x: start - left,
      // The letters are above their baseline.
      y: top - y - 0.8 * size,
      width: end - start,
      height: size,
    }));
    const layout = { width: right - left, height: top - bottom, words: placed };
    return { text: [text, ...fields].join("\n"), layout };
  } finally {
    page.cleanup();
  }
}

/** The runs of a page's text, read in parts, so that a page above its budget stops. */
async function readRuns(page: PdfPage, budget: StepBudget): Promise<TextRun[]> {
  const steps = budget.ofPage(page.pageNumber);
  const runs: TextRun[] = [];
  const parts: ReadableStream<TextContent> = page.streamTextContent();
  // A refusal leaves the stream as it is, because the library fails when it is cancelled.
  const reader = parts.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    steps.take(part.value.items.length);
    for (const item of part.value.items) {
      if (!("str" in item)) continue;
      const [, , skewX, scaleY, x, y] = item.transform.map(Number);
      runs.push({
        text: item.str,
        x: x ?? 0,
        y: y ?? 0,
        width: item.width,
        size: Math.hypot(skewX ?? 0, scaleY ?? 0) || 1,
        endsLine: item.hasEOL,
      });
    }
  }
  return runs;
}

/** The filled form fields of this page, as "label: value" lines. */
async function readFields(page: PdfPage): Promise<string[]> {
  const lines: string[] = [];
  for (const annotation of await page.getAnnotations()) {
    const { subtype, fieldType, fieldValue, alternativeText, fieldName } = annotation;
    if (subtype !== "Widget" || fieldType === "Sig") continue;
    const value: unknown = Array.isArray(fieldValue) ? fieldValue.join(", ") : fieldValue;
    if (typeof value !== "string" || value.trim() === "" || value === "Off") continue;
    const label = String(alternativeText || fieldName || "Field");
    lines.push(`${label}: ${value.replace(/\s+/g, " ").trim()}`);
  }
  return lines;
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

import { crashed, type ChildLine } from "./child-lines.ts";
import type { ChildFile, PictureRequest } from "./child-request.ts";
import type { ChildOptions } from "./child-options.ts";
import { ExtractionError, type ExtractionErrorCode } from "../extraction-error.ts";
import { defaultLimits } from "../extraction-limits.ts";
import { cellsOf, tableLimits, type PageTable } from "../../tables/page-table.ts";
import type { WordsText } from "../../tables/words-text.ts";
import { mayComeFromOthers } from "./kept-children.ts";
import { runWatched } from "./watched-child.ts";

/** A page of 300 dpi takes 2 to 3 s of a processor. */
const msPerPage = 30_000;
const startMs = 30_000;
/** A loaded machine gives a child its processor time so many times later. */
const longestFactor = 8;
/**
 * A page of 300 dpi takes 200 to 380 MiB with the engine. One of 600 dpi within a PDF takes 620 to
 * 810 MiB while it is unpacked, most of which is free before the recognition.
 */
const memoryBytes = 960 * 1024 * 1024;
/** Pages of one document whose pictures are read. */
const pagesAtMost = 200;
/** Pages of one child, so that what the engine keeps is freed. */
const pagesPerChild = 20;
/** Children of one document that may be killed or crash, each of which costs one page. */
const failuresAtMost = 3;

/** The text of one picture, with its tables and the places of its words. */
export interface ReadPicture {
  readonly text: string;
  readonly tables?: readonly PageTable[] | undefined;
  readonly words?: WordsText | undefined;
}

/** The text of pages that are pictures. */
export interface PictureTexts {
  /** "" for a page without text; pages that could not be read are missing. */
  readonly texts: ReadonlyMap<number, ReadPicture>;
  /** Pages that show nothing at all. */
  readonly blank: ReadonlySet<number>;
  /** The warnings, as sentences for the user. */
  readonly warnings: readonly string[];
}

type PictureOptions = Pick<
  ChildOptions,
  "command" | "kept" | "signal" | "onProgress" | "ocrFolder"
>;

/**
 * Reads the text in the pictures of pages, in child processes of 20 pages each with 960 MiB, and 30
 * s of a processor for each page. A page that a child can't read is left out, and the next one
 * continues after it. Throws the signal's reason.
 */
export async function readPictures(
  file: ChildFile,
  wanted: readonly number[],
  options: PictureOptions,
): Promise<PictureTexts> {
  const pictures = new Pictures(Math.min(wanted.length, pagesAtMost), options);
  let rest = wanted.slice(0, pagesAtMost);
  let failures = 0;
  let needsNew = false;
  while (rest.length > 0 && failures < failuresAtMost) {
    const pages = rest.slice(0, pagesPerChild);
    const isKept = !needsNew && options.kept?.children.has(options.kept.share, true) === true;
    needsNew = false;
    try {
      await readSome(file, pages, { ...options, isFresh: !isKept }, (line) =>
        pictures.add(line, pages),
      );
      rest = rest.slice(pages.length);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      if (isKept && mayComeFromOthers(error)) {
        needsNew = true;
        rest = rest.filter((page) => !pictures.has(page));
        continue;
      }
      failures += 1;
      const failed = pages.find((page) => !pictures.has(page));
      if (failed !== undefined) pictures.warnings.push(unreadPicture(failed, error.code));
      rest = failed === undefined ? rest.slice(pages.length) : rest.filter((page) => page > failed);
    }
  }
  if (rest.length > 0) {
    pictures.warnings.push(`After ${failures} such pages, the other pictures were not read.`);
  }
  if (wanted.length > pagesAtMost) {
    pictures.warnings.push(`Only the pictures of the first ${pagesAtMost} such pages were read.`);
  }
  return pictures;
}

const reasons: Partial<Record<ExtractionErrorCode, string>> = {
  "out-of-memory": "reading it takes more memory than one page may use",
  "timed-out": "reading it takes too long",
  "limit-exceeded": "it has more pieces than one page may have, with those of its forms",
};

function unreadPicture(page: number, code: ExtractionErrorCode): string {
  const reason = reasons[code] ?? "the program that reads it stopped unexpectedly";
  return `The picture of page ${page} was not read: ${reason}.`;
}

/** Passes on the lines of a few pages, from a kept child if there is one. */
async function readSome(
  file: ChildFile,
  pages: readonly number[],
  options: PictureOptions & { readonly isFresh: boolean },
  onLine: (line: ChildLine) => void,
): Promise<void> {
  const { command, kept, signal, ocrFolder, isFresh } = options;
  const timeoutMs = startMs + pages.length * msPerPage;
  const mostMs = startMs + pagesPerChild * msPerPage;
  const limits = { timeoutMs, mostMs, longestMs: timeoutMs * longestFactor, memoryBytes, signal };
  const pictures: PictureRequest =
    ocrFolder === undefined ? { pages } : { pages, dataFolder: ocrFolder };
  if (kept !== undefined) {
    const work = { ...file, pictures };
    return await kept.children.read({ share: kept.share, work, isFresh }, limits, onLine);
  }
  const { path, filename, mediaType } = file;
  const words = [...command, path, filename, mediaType, JSON.stringify(pictures)];
  await runWatched(words, limits, onLine);
}

class Pictures implements PictureTexts {
  readonly texts = new Map<number, ReadPicture>();
  readonly blank = new Set<number>();
  readonly warnings: string[] = [];
  #characters = 0;
  #cells = 0;

  constructor(
    private readonly total: number,
    private readonly options: PictureOptions,
  ) {}

  has(page: number): boolean {
    return this.texts.has(page) || this.blank.has(page);
  }

  add(line: ChildLine, pages: readonly number[]): void {
    if (line.type === "error") {
      throw line.code === "limit-exceeded"
        ? new ExtractionError(line.code, line.message)
        : crashed();
    }
    if (line.type !== "page" && line.type !== "blank") return;
    if (!pages.includes(line.number) || this.has(line.number)) throw crashed();
    if (line.type === "blank") this.blank.add(line.number);
    else {
      this.#characters += line.text.length;
      if (this.#characters > defaultLimits.characters) throw crashed();
      const { text, words, tables = [] } = line;
      this.#cells += cellsOf(tables);
      const isKept = this.#cells <= tableLimits.cellsOfDocument && tables.length > 0;
      this.texts.set(line.number, { text, words, tables: isKept ? tables : undefined });
    }
    this.options.onProgress?.(this.texts.size + this.blank.size, this.total);
  }
}

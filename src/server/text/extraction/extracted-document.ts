import { given } from "#lib/given.ts";
import { limitExceeded, tooManyCharacters } from "./extraction-error.ts";
import type { ExtractionLimits } from "./extraction-limits.ts";
import { cellsOf, tableLimits, type PageTable } from "../tables/page-table.ts";
import {
  numbersOfWord,
  placesOf,
  wordLimits,
  type PageLayout,
  type PageWords,
} from "../tables/word-places.ts";
import type { WordsText } from "../tables/words-text.ts";
import { MarkedPages } from "../tables/table-marks.ts";
import { normalizeText, normalizeWords, splitLongText } from "./normalize-text.ts";

/**
 * One page; `number` counts from 1. Citations are UTF-16 code-unit offsets in `text`. `isPicture`:
 * the page has no text, and perhaps a picture of it.
 */
export type PageText = {
  number: number;
  text: string;
  isPicture?: true;
  tables?: readonly PageTable[];
  words?: PageWords;
  /** The unsure parts of `words`, for a page that is stored. */
  unsure?: readonly number[];
};

/**
 * The content of a page without text: a picture file (PNG, JPEG, TIFF, WebP, BMP, PNM), only lines
 * and areas, or nothing. `isPart`: the picture is within a document that has other text, and may
 * have none. `lacksText`: the page also shows text, which is not in the picture.
 */
export type PagePicture =
  | { kind: "picture"; bytes: Uint8Array; isPart?: true; lacksText?: true }
  | { kind: "drawing" }
  | { kind: "blank" };

/** The file's own metadata; `createdAt` is RFC 3339 in UTC. */
export type DocumentMetadata = { title?: string; author?: string; createdAt?: string };

/** The text of a document, page by page. `warnings` are sentences for the user. */
export type ExtractedDocument = {
  mediaType: string;
  pages: PageText[];
  metadata: DocumentMetadata;
  warnings: string[];
  /** The first content that was left out, for the job; undefined if all was read. */
  leftOut?: string;
  /** Pages that have only a picture, in which no text was found. */
  unreadPages: number[];
  /** The model that read the pictures of pages. */
  pictureModel?: { readonly name: string; readonly pages: readonly number[] };
};

/** A page that a child has read. */
export type ReadPage = Omit<PageText, "words"> & { words?: WordsText };
export type ReadDocument = Omit<ExtractedDocument, "pages"> & { pages: ReadPage[] };

/** Reads one format: writes its pages and returns its metadata. */
export type FormatReader = (
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
) => Promise<DocumentMetadata>;

export type PageWriter = {
  /**
   * Adds one page of a format that has pages; an empty page keeps its number. `picture` gives what
   * the page shows. Tables are marked in the text (see `table-marks.ts`).
   */
  page(text: string, picture?: () => Promise<PagePicture>, layout?: PageLayout): Promise<void>;
  /** Adds text of a format without pages: one page, or several if it is long. */
  flow(text: string): Promise<void>;
  /** Reports progress; `total` may grow. */
  progress(done: number, total: number): Promise<void>;
  warn(message: string): void;
  /** A warning that names content which was not read, and why: the document is incomplete. */
  leaveOut(message: string): void;
};

const warningLimit = 50;
/** A scan may have a page number as its only text. */
const letter = /\p{L}/u;

/** Creates a writer that normalises each page, applies the limits and passes it on at once. */
export function createPageWriter(
  limits: ExtractionLimits,
  output: {
    page(page: PageText, picture?: () => Promise<PagePicture>): Promise<void> | void;
    progress?(done: number, total: number): Promise<void> | void;
    warning(message: string): void;
    leftOut?(message: string): void;
  },
): PageWriter {
  let pages = 0;
  let characters = 0;
  let warnings = 0;
  const marked = new MarkedPages();
  const parts = new PageParts((message) => output.warning(message));

  function count(added: number): void {
    characters += added;
    if (characters > limits.characters) throw tooManyCharacters(limits.characters);
  }

  async function emit(
    from: string,
    picture?: () => Promise<PagePicture>,
    layout?: PageLayout,
  ): Promise<void> {
    pages += 1;
    if (pages > limits.pages) throw limitExceeded(`it has more than ${limits.pages} pages`);
    const { text, tables } = marked.next(from);
    if (picture === undefined || letter.test(text)) {
      const page = { number: pages, text, ...parts.of(text, tables, layout) };
      return await output.page(page, picture);
    }
    await output.page({ number: pages, text, isPicture: true }, picture);
  }

  function warn(message: string): void {
    warnings += 1;
    if (warnings <= warningLimit) output.warning(normalizeWords(message));
    else if (warnings === warningLimit + 1) output.warning("There are more warnings than shown.");
  }

  return {
    async page(text, picture, layout) {
      if (text.length > limits.pageCharacters) {
        throw limitExceeded(`one page has more than ${limits.pageCharacters} characters`);
      }
      const clean = normalizeText(text);
      count(clean.length);
      await emit(clean, picture, layout);
    },
    async flow(text) {
      // Text far above the limit must not be normalised first.
      if (characters + text.length > limits.characters * 2) count(text.length);
      const clean = normalizeText(text);
      count(clean.length);
      for (const part of splitLongText(clean, limits.flowCharacters)) await emit(part);
    },
    async progress(done, total) {
      await output.progress?.(done, total);
    },
    warn,
    leaveOut(message) {
      output.leftOut?.(normalizeWords(message));
      warn(message);
    },
  };
}

/** Keeps tables and places of words, until the document has as many as its limits. */
class PageParts {
  #cells = 0;
  #words = 0;

  constructor(private readonly warn: (message: string) => void) {}

  of(
    text: string,
    tables: readonly PageTable[],
    layout: PageLayout | undefined,
  ): Pick<PageText, "tables" | "words"> {
    return given({ tables: this.#kept(tables), words: this.#placed(text, layout) });
  }

  #kept(tables: readonly PageTable[]): PageText["tables"] {
    const limit = tableLimits.cellsOfDocument;
    if (tables.length === 0 || this.#cells > limit) return undefined;
    this.#cells += cellsOf(tables);
    if (this.#cells <= limit) return tables;
    this.warn(`This document has more than ${limit} table cells; the rest is kept as text only.`);
    return undefined;
  }

  #placed(text: string, layout: PageLayout | undefined): PageText["words"] {
    if (layout === undefined || this.#words >= wordLimits.document) return undefined;
    const found = placesOf(text, layout);
    this.#words += found.places.length / numbersOfWord;
    return found.places.length === 0 ? undefined : found;
  }
}

/** Normalised metadata without blank values and invalid times. */
export function metadataFrom(
  title: string | undefined,
  author: string | undefined,
  created: string | undefined,
): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  const [titleWords, authorWords] = [normalizeWords(title ?? ""), normalizeWords(author ?? "")];
  if (titleWords !== "") metadata.title = titleWords;
  if (authorWords !== "") metadata.author = authorWords;
  const time = created === undefined ? Number.NaN : Date.parse(created);
  if (!Number.isNaN(time)) metadata.createdAt = new Date(time).toISOString();
  return metadata;
}

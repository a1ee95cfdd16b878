import { limitExceeded } from "./extraction-error.ts";
import type { ExtractionLimits } from "./extraction-limits.ts";
import { normalizeText, normalizeWords, splitLongText } from "./normalize-text.ts";

/**
 * One page; `number` counts from 1. Citations are UTF-16 code-unit offsets in `text` as it stands
 * here.
 */
export type PageText = { number: number; text: string };

/** What the file says of itself; `createdAt` is RFC 3339 in UTC. */
export type DocumentMetadata = { title?: string; author?: string; createdAt?: string };

/** The text of a document, page by page. `warnings` are sentences for a person. */
export type ExtractedDocument = {
  mediaType: string;
  pages: PageText[];
  metadata: DocumentMetadata;
  warnings: string[];
};

/** Where a format's reader puts what it finds. */
export type PageWriter = {
  /** Adds one page of a format that has pages; an empty page keeps its number. */
  page(text: string): Promise<void>;
  /** Adds text of a format without pages: one page, or several when it is long. */
  flow(text: string): Promise<void>;
  /** Tells how far the reading is; `total` may grow. */
  progress(done: number, total: number): Promise<void>;
  warn(message: string): void;
};

const warningLimit = 50;

/**
 * Makes the writer that normalises each page, counts pages and characters against the limits
 * (`limit-exceeded`) and hands every page on at once, so that a reader never holds a whole
 * document.
 */
export function createPageWriter(
  limits: ExtractionLimits,
  output: {
    page(page: PageText): Promise<void> | void;
    progress?(done: number, total: number): Promise<void> | void;
    warning(message: string): void;
  },
): PageWriter {
  let pages = 0;
  let characters = 0;
  let warnings = 0;

  function count(added: number): void {
    characters += added;
    if (characters > limits.characters) {
      throw limitExceeded(`it holds more than ${limits.characters} characters of text`);
    }
  }

  async function emit(text: string): Promise<void> {
    pages += 1;
    if (pages > limits.pages) throw limitExceeded(`it has more than ${limits.pages} pages`);
    await output.page({ number: pages, text });
  }

  return {
    async page(text) {
      if (text.length > limits.pageCharacters) {
        throw limitExceeded(`one page holds more than ${limits.pageCharacters} characters`);
      }
      const clean = normalizeText(text);
      count(clean.length);
      await emit(clean);
    },
    async flow(text) {
      // Counted before the text is worked on too: what comes in may be far above the limit.
      if (characters + text.length > limits.characters * 2) count(text.length);
      const clean = normalizeText(text);
      count(clean.length);
      for (const part of splitLongText(clean, limits.flowCharacters)) await emit(part);
    },
    async progress(done, total) {
      await output.progress?.(done, total);
    },
    warn(message) {
      warnings += 1;
      if (warnings <= warningLimit) output.warning(normalizeWords(message));
      else if (warnings === warningLimit + 1) output.warning("There are more warnings than shown.");
    },
  };
}

import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { isStorable } from "../../../kit/storable-text.ts";
import type { DocumentMetadata } from "../extracted-document.ts";
import { cellsOf, tableLimits, type CellSpan, type PageTable } from "../../tables/page-table.ts";
import { arePlaces, type PageWords } from "../../tables/word-places.ts";
import { wordsTextOf, type WordsText } from "../../tables/words-text.ts";
import { ExtractionError } from "../extraction-error.ts";

/**
 * The child's output, one JSON value per line: pages and progress, then exactly one `end` or
 * `error`. A child that ends without either has crashed.
 */
export type ChildLine =
  | { type: "progress"; done: number; total: number }
  | {
      type: "page";
      number: number;
      text: string;
      isPicture?: true;
      tables?: readonly PageTable[];
      words?: WordsText;
    }
  /** The picture of a page for a model; `data` is base64. */
  | { type: "picture"; number: number; mediaType: string; data: string }
  /** A wanted picture, of which this page has none. */
  | { type: "blank"; number: number }
  | {
      type: "end";
      mediaType: string;
      metadata: DocumentMetadata;
      warnings: string[];
      leftOut?: string;
    }
  | { type: "error"; code: string; message: string };

/** Fits the largest page with its JSON, in UTF-16 code units. */
const lineCharactersAtMost = 4_000_000;

/** The error for a child that broke its protocol or ended without a result. */
export function crashed(cause?: unknown): ExtractionError {
  return new ExtractionError(
    "crashed",
    "This file was not read: the program that reads it stopped unexpectedly. " +
      "The file may be damaged.",
    { cause },
  );
}

/** Reads a child's lines. They are not trusted, because the child reads hostile bytes. */
export async function* readChildLines(
  stdout: AsyncIterable<Uint8Array>,
): AsyncGenerator<ChildLine> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of stdout) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        yield parseLine(parts.splice(0).join(""));
        length = 0;
      }
      length += piece.length;
      if (length > lineCharactersAtMost) throw crashed();
      parts.push(piece);
    }
  }
  if (length > 0) throw crashed();
}

function parseLine(text: string): ChildLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw crashed(error);
  }
  const line = isJsonObject(value) ? shapeOf(value) : null;
  if (line === null) throw crashed();
  return line;
}

function shapeOf(value: Record<string, unknown>): ChildLine | null {
  const { type, done, total, number, text, code, message, mediaType } = value;
  if (type === "progress" && isCount(done) && isCount(total)) return { type, done, total };
  if (type === "blank" && isCount(number)) return { type, number };
  if (type === "picture" && isCount(number) && isPictureType(mediaType) && isText(value.data)) {
    return { type, number, mediaType, data: value.data };
  }
  if (type === "page" && isCount(number) && isText(text)) {
    const tables = value.tables === undefined ? undefined : tablesOf(value.tables, text.length);
    const words = value.words === undefined ? undefined : wordsTextOf(value.words, text.length);
    if (tables === null || words === null) return null;
    return {
      type,
      number,
      text,
      ...(value.isPicture === true ? { isPicture: true } : {}),
      ...given({ tables, words }),
    };
  }
  if (type === "error" && isText(code) && isText(message)) return { type, code, message };
  if (type !== "end" || !isText(mediaType)) return null;
  const metadata = metadataOf(value.metadata);
  const warnings = value.warnings;
  if (metadata === null || !Array.isArray(warnings)) return null;
  if (!warnings.every(isText)) return null;
  const { leftOut } = value;
  if (leftOut !== undefined && !isText(leftOut)) return null;
  return { type, mediaType, metadata, warnings, ...given({ leftOut }) };
}

function isPictureType(value: unknown): value is string {
  return value === "image/png" || value === "image/jpeg" || value === "image/webp";
}

/** Tables whose cells are within the text of their page. */
export function tablesOf(value: unknown, characters: number): PageTable[] | null {
  if (!Array.isArray(value)) return null;
  const tables = value.map((each) => tableOf(each, characters));
  const known = tables.filter((table) => table !== null);
  return known.length < tables.length || cellsOf(known) > tableLimits.cellsOfDocument
    ? null
    : known;
}

/** The places of words within the text of their page. */
export function wordsOf(value: unknown, characters: number): PageWords | null {
  if (!isJsonObject(value) || !isCount(value.width) || !isCount(value.height)) return null;
  const { width, height, places } = value;
  if (!Array.isArray(places) || !arePlaces(places, characters)) return null;
  return { width, height, places };
}

function tableOf(value: unknown, characters: number): PageTable | null {
  if (!isJsonObject(value) || !isCount(value.header) || !Array.isArray(value.rows)) return null;
  const columns = Array.isArray(value.rows[0]) ? value.rows[0].length : 0;
  const isCell = (cell: unknown): cell is CellSpan => {
    if (!Array.isArray(cell) || cell.length !== 2) return false;
    const [start, end]: unknown[] = cell;
    return isCount(start) && isCount(end) && start <= end && end <= characters;
  };
  const isRow = (row: unknown): row is CellSpan[] =>
    Array.isArray(row) && row.length === columns && row.every(isCell);
  if (columns === 0 || value.header > value.rows.length || !value.rows.every(isRow)) return null;
  const { header, rows } = value;
  return { header, rows, ...(value.continues === true ? { continues: true } : {}) };
}

function metadataOf(value: unknown): DocumentMetadata | null {
  if (!isJsonObject(value)) return null;
  const metadata: DocumentMetadata = {};
  for (const name of ["title", "author", "createdAt"] as const) {
    const field = value[name];
    if (isText(field)) metadata[name] = field;
    else if (field !== undefined) return null;
  }
  return metadata;
}

/** Text that cannot be stored would be retried for ever. */
function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

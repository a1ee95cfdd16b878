import { createHash } from "node:crypto";
import type { JsonObject } from "#contract/values.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import type { NamedFile } from "../../kit/input/files.ts";

/** A date or a time of day of a spreadsheet, without a zone: `2026-03-14` or `2026-03-14 09:30`. */
export interface DateCell {
  readonly date: string;
  /** The stored time, where the spreadsheet shows its day only. */
  readonly exact?: string;
}

/** The error that a spreadsheet shows in a cell, such as `#REF!`. */
export interface ErrorCell {
  readonly error: string;
}

/** `undefined` for a cell without characters, as opposed to `""`. */
export type Cell = string | number | boolean | DateCell | ErrorCell | undefined;

/** A row of a table. Its number counts from 1, as in a spreadsheet. */
export interface TableRow {
  readonly number: number;
  readonly cells: readonly Cell[];
  /** True if a formula sums the rows above it. */
  readonly sumsRows?: boolean;
  /** Why it is no record, e.g. because it is in another table of the sheet. */
  readonly fault?: string;
}

/** An item of JSON; its number counts from 1. */
export interface JsonRow {
  readonly number: number;
  readonly values: JsonObject;
}

/** The bytes that have been read, for the progress. */
export interface ReadMeter {
  bytes: number;
}

interface SourceFacts {
  /** Words about the format, e.g. `CSV, windows-1252, separated by ;`. */
  readonly format: string;
  /** The bytes that its rows read. */
  readonly size: number;
  /** True if the file shows its end, so that a cut file is noticed. */
  readonly showsItsEnd: boolean;
}

export interface TableSource extends SourceFacts {
  readonly kind: "table";
  /** The separator of a CSV. */
  readonly separator?: string;
  readonly merges: readonly MergedCells[];
  rows(meter: ReadMeter): AsyncIterable<readonly TableRow[]>;
}

export interface JsonSource extends SourceFacts {
  readonly kind: "json";
  rows(meter: ReadMeter): AsyncIterable<readonly JsonRow[]>;
}

export type Source = TableSource | JsonSource;

/** A range of merged cells; rows count from 1, columns from 0. */
export interface MergedCells {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** The facts of a file that one pass over its bytes finds. */
export interface FileFacts {
  readonly sha256: string;
  readonly size: number;
  readonly isUtf8: boolean;
  readonly start: Uint8Array;
  /** Bytes from the first one that is not ASCII, which show the charset. */
  readonly foreign: Uint8Array;
  readonly endsWithLine: boolean;
}

const sampleBytes = 64 * 1024;

/** Reads a file once for its digest and its charset. */
export async function inspectFile(file: NamedFile, signal: AbortSignal): Promise<FileFacts> {
  const hash = createHash("sha256");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  let isUtf8 = true;
  let start: Uint8Array = new Uint8Array();
  let foreign: Uint8Array = new Uint8Array();
  let last: number | undefined;
  for await (const chunk of chunksUntil(file.stream(), signal)) {
    hash.update(chunk);
    if (start.length < sampleBytes) start = joined(start, chunk);
    if (foreign.length < sampleBytes) foreign = joined(foreign, afterAscii(foreign, chunk));
    if (isUtf8) isUtf8 = decodes(decoder, chunk);
    size += chunk.byteLength;
    last = chunk.at(-1) ?? last;
  }
  if (isUtf8) isUtf8 = decodes(decoder, undefined);
  const endsWithLine = last === 0x0a || last === 0x0d;
  return { sha256: hash.digest("hex"), size, isUtf8, start, foreign, endsWithLine };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Buffer.concat([one, other.subarray(0, sampleBytes - one.length)]);
}

function afterAscii(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (before.length > 0) return chunk;
  const at = chunk.findIndex((byte) => byte > 0x7f);
  return at < 0 ? new Uint8Array() : chunk.subarray(Math.max(0, at - 1024));
}

function decodes(decoder: TextDecoder, chunk: Uint8Array | undefined): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

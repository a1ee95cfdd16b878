import { TextDecoder as TextDecoderOfAnyName } from "node:util";
import { formatError } from "#cli/errors.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import { withoutMark } from "#lib/text/csv.ts";
import { maximumJsonBytes } from "../../../kit/input/data.ts";
import type { NamedFile } from "../../../kit/input/files.ts";
import { CsvError, CsvRows, type CsvRow } from "../../batch/csv-rows.ts";
import type { FileFacts, ReadMeter, TableRow, TableSource } from "../source.ts";

/** The library's confidence, of 100, below which text is windows-1252. */
const leastConfidence = 25;

/**
 * The charset of text: the given one, that of its byte order mark, UTF-8 where all bytes are, else
 * the likely one. Throws E304 for a name that is not known.
 */
async function charsetOf(
  { start, foreign, isUtf8 }: FileFacts,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return knownCharset(given);
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  if (isUtf8) return "utf-8";
  const { analyse } = await import("chardet");
  const likely = analyse(foreign).find(({ name }) => isKnown(name));
  if (likely === undefined || likely.confidence < leastConfidence) return "windows-1252";
  return new TextDecoderOfAnyName(likely.name).encoding;
}

function knownCharset(name: string): string {
  if (isKnown(name)) return new TextDecoderOfAnyName(name).encoding;
  throw formatError(`--charset ${name} is not known`, "utf-8, utf-16le, windows-1252, shift_jis");
}

function isKnown(name: string): boolean {
  try {
    return new TextDecoderOfAnyName(name).encoding !== "";
  } catch {
    return false;
  }
}

const separators = [",", ";", "\t", "|"];
/** Rows that decide the separator. */
const judgedRows = 20;

export interface CsvOptions {
  readonly name: string;
  readonly separator: string | undefined;
  readonly charset: string | undefined;
}

/** A CSV of any separator and charset, e.g. one that Excel has written. Throws E304. */
export async function csvSource(
  file: NamedFile,
  facts: FileFacts,
  options: CsvOptions,
  signal: AbortSignal,
): Promise<TableSource> {
  const charset = await charsetOf(facts, options.charset);
  const start = new TextDecoderOfAnyName(charset).decode(facts.start, { stream: true });
  // The first line of a CSV for Excel may name the separator.
  const named = /^sep=(.)\r?\n/.exec(start)?.[1];
  const separator = options.separator ?? named ?? likelySeparator(start);
  const words = separator === "\t" ? "tabs" : separator;
  return {
    kind: "table",
    separator,
    format: `CSV, ${charset}, separated by ${words}`,
    size: facts.size,
    showsItsEnd: facts.endsWithLine,
    merges: [],
    async *rows(meter: ReadMeter) {
      const splitter = new CsvRows(maximumJsonBytes, separator);
      const read = (rows: readonly CsvRow[]): TableRow[] =>
        rows.flatMap((row) =>
          named !== undefined && row.number === 1
            ? []
            : [{ ...row, cells: row.cells.map(unmarked) }],
        );
      try {
        const decoder = new TextDecoderOfAnyName(charset, { fatal: charset === "utf-8" });
        for await (const chunk of chunksUntil(file.stream(), signal)) {
          meter.bytes += chunk.byteLength;
          yield read(splitter.push(decoder.decode(chunk, { stream: true })));
        }
        yield read([...splitter.push(decoder.decode()), ...splitter.end()]);
      } catch (error) {
        if (error instanceof CsvError) {
          throw formatError(`${options.name} is not CSV: ${error.message}`, "CSV");
        }
        if (error instanceof TypeError) {
          throw formatError(`${options.name} is not ${charset} text`, "the charset in --charset");
        }
        throw error;
      }
    },
  };
}

function unmarked(cell: string | undefined): string | undefined {
  return cell === undefined ? undefined : withoutMark(cell);
}

/** The separator by which most of the first rows have the same number of cells. */
function likelySeparator(start: string): string {
  const scores = separators.map((separator) => {
    const rows = firstRows(start, separator);
    const counts = new Set(rows.flatMap(({ filled, all }) => [filled, all]));
    const scoresOfCounts = [...counts].map((count) => {
      // A line may end with separators, or without those of its last empty cells.
      const alike = rows.filter(({ filled, all }) => filled <= count && count <= all);
      return count < 2 ? 0 : alike.length * 100 + count;
    });
    return { separator, score: Math.max(0, ...scoresOfCounts) };
  });
  return scores.toSorted((one, other) => other.score - one.score)[0]?.separator ?? ",";
}

/** How many cells the first rows have, and how many up to the last one with characters. */
function firstRows(start: string, separator: string) {
  try {
    const rows = new CsvRows(maximumJsonBytes, separator).push(start).slice(0, judgedRows);
    return rows.map(({ cells }) => {
      const last = cells.findLastIndex((cell) => cell !== undefined && cell !== "");
      return { filled: last + 1, all: cells.length };
    });
  } catch {
    return [];
  }
}

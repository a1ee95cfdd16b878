import { marks } from "../../../tables/table-marks.ts";
import { simpleNumber } from "../numbering/list-counters.ts";
import { drawnBlocks, type DrawnBlock } from "./drawn-columns.ts";
import { LineHyphens } from "./line-hyphens.ts";
import type { TextRun } from "./pdf-runs.ts";
import { fromRight, spacedFromRight, wordGap } from "./right-to-left.ts";
import { isAddressLine } from "./tables/cell-lines.ts";
import { taggedTables } from "./tables/tagged-tables.ts";
import {
  findTables,
  type LinePart,
  type PositionedTable,
  type RunWord,
} from "./tables/pdf-tables.ts";

type Line = {
  text: string;
  start: number;
  end: number;
  y: number;
  size: number;
  firstWord: number;
  /** The line is in a column of running text, however narrow. */
  isColumn: boolean;
  /** The start of a table row's last cell; null on a line without columns. */
  lastCell: number | null;
  /** The texts between the gaps of a line. */
  parts: LinePart[];
};

/** A gap on a line wider than this many letter sizes separates two columns. */
const columnGap = 1.6;
/** A narrower gap may separate two cells of a table, if other rows have it too. */
const cellGap = 0.7;
/** A line narrower than this many letter sizes is not running text, so it ends on purpose. */
const runningTextWidth = 18;
/** Letters of scripts that have no spaces between words, and their punctuation. */
const unspaced =
  "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}" +
  "\\p{sc=Myanmar}\\u3001-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20]";
const endsUnspaced = new RegExp(`${unspaced}$`, "u");
const beginsUnspaced = new RegExp(`^${unspaced}`, "u");
/** A line of a list whose dots lead to its value or page, which it ends with. */
const withLeader = /(?:[.\u2026\u00b7] ?){4,}[^.\n]{0,60}(?:\.\d[^.\n]*)?$/u;
const labelled = /^\p{Lu}[\p{L}\p{N} .'’/-]{1,40}: ?\S/u;
const bulleted = /^[•·▪◦‣*–-]\s/;

/**
 * Joins a page's runs: marked tables, empty lines between paragraphs. Lines that the page's width
 * broke are joined without a hyphen that only breaks a word, so that sentences can be searched and
 * quoted. Tables are found by the places of texts, or with `hasStructure` are those of the page's
 * structure.
 */
export function layoutText(
  runs: readonly TextRun[],
  { hasStructure = false }: { hasStructure?: boolean } = {},
): { text: string; words: RunWord[] } {
  const blocks = hasStructure ? [{ runs, isColumn: false }] : drawnBlocks(runs);
  const linesOfBlocks = blocks.map((block) => collectLines(block));
  const lines = linesOfBlocks.flat();
  const words: RunWord[] = [];
  const tables = linesOfBlocks.flatMap((block) => {
    const all = block.flatMap((line) => line.parts);
    return hasStructure ? taggedTables(all) : findTables(all);
  });
  const ofParts = new Map(tables.flatMap((table) => table.parts.map((part) => [part, table])));
  const tableOf = (line: Line | undefined): PositionedTable | undefined =>
    line?.parts[0] === undefined ? undefined : ofParts.get(line.parts[0]);
  const margins = rightMargins(lines);
  const hyphens = new LineHyphens(lines.map(({ text }) => text));
  const parts: string[] = [];
  const written = new Set<PositionedTable>();
  let ended = "";
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    const table = tableOf(line);
    if (table !== undefined) {
      if (written.has(table)) return;
      written.add(table);
      parts.push("\n\n", table.text, "\n\n");
      words.push(...table.words);
      ended = marks.end;
      return;
    }
    for (const part of line.parts) words.push(...part.words);
    if (ended !== "") parts.push(ended);
    ended = "";
    if (tableOf(next) !== undefined) {
      parts.push(line.text, "\n\n");
      return;
    }
    const separator = next === undefined ? "" : separatorBetween(line, next, margins);
    // The second line of a cell still belongs to its row.
    if (next !== undefined && separator === " ") next.lastCell ??= line.lastCell;
    if (separator !== " " || !/[\p{L}\p{N}]-$/u.test(line.text)) {
      const isUnspaced = separator === " " && endsUnspaced.test(line.text);
      parts.push(line.text, isUnspaced && beginsUnspaced.test(next?.text ?? "") ? "" : separator);
      return;
    }
    parts.push(hyphens.isKept(line.text, next?.text ?? "") ? line.text : line.text.slice(0, -1));
  });
  return { text: parts.join(""), words };
}

function collectLines({ runs, isColumn }: DrawnBlock): Line[] {
  const lines: Line[] = [];
  let current: Line | null = null;
  const finish = (): void => {
    if (current !== null && current.text.trim() !== "") {
      lines.push({ ...current, text: current.text.trim() });
    }
    current = null;
  };
  for (const run of inReadingOrder(runs)) {
    if (run.text.trim() === "") {
      if (current !== null && run.text !== "") current.text += " ";
    } else if (current === null) {
      current = {
        text: run.text,
        start: run.x,
        end: run.x + run.width,
        y: run.y,
        size: run.size,
        firstWord: firstWordWidth(run),
        isColumn,
        lastCell: null,
        parts: [partOf(run)],
      };
    } else {
      const part = current.parts.at(-1);
      const gap = run.x - current.end;
      if (gap > columnGap * current.size) {
        current.text = `${current.text.trimEnd()}\t`;
        current.lastCell = run.x;
      }
      if (part === undefined || gap > cellGap * current.size || part.cell !== run.cell) {
        current.parts.push(partOf(run));
      } else {
        const isNext = /\s$/.test(current.text) || /^\s/.test(run.text);
        part.text = `${part.text}${isNext ? " " : ""}${run.text}`;
        part.end = Math.max(part.end, run.x + run.width);
        addWords(part.words, run, isNext);
      }
      // A bullet may be larger than its text.
      const isSign = !/[\p{L}\p{N}]/u.test(current.text);
      current.size = isSign ? run.size : Math.max(current.size, run.size);
      current.text += run.text;
      current.end = Math.max(current.end, run.x + run.width);
    }
    if (run.endsLine) finish();
  }
  finish();
  return lines;
}

/**
 * Each line's runs from the left. A line that was drawn in another order has its spaces by the gaps
 * between its runs, because the spaces that it has stand where the drawing went back.
 */
function inReadingOrder(runs: readonly TextRun[]): readonly TextRun[] {
  const ordered: TextRun[] = [];
  let line: TextRun[] = [];
  const finish = (): void => {
    ordered.push(...(goesBack(line) ? fromLeft(line) : spacedFromRight(fromRight(line))));
    line = [];
  };
  for (const run of runs) {
    line.push(run);
    if (run.endsLine) finish();
  }
  finish();
  return ordered;
}

function goesBack(line: readonly TextRun[]): boolean {
  if (line.some((run) => run.isRightToLeft === true)) return false;
  const written = line.filter((run) => run.text.trim() !== "");
  return written.some((run, index) => {
    const next = written[index + 1];
    return next !== undefined && next.x + next.width <= run.x + wordGap * run.size;
  });
}

function fromLeft(line: readonly TextRun[]): TextRun[] {
  const sorted = line
    .filter((run) => run.text.trim() !== "")
    .toSorted((one, other) => one.x - other.x);
  return sorted.map((run, index) => {
    const text = run.text.trim();
    const next = sorted[index + 1];
    if (next === undefined) return { ...run, text, endsLine: line.at(-1)?.endsLine ?? false };
    const gap = next.x - run.x - run.width;
    const isWritten = /\s$/.test(run.text) || /^\s/.test(next.text);
    const isSpace = isWritten || (gap > wordGap * run.size && gap <= columnGap * run.size);
    return { ...run, text: isSpace ? `${text} ` : text, endsLine: false };
  });
}

function partOf(run: TextRun): LinePart {
  const { text, x, y, width, size, cell } = run;
  const words: RunWord[] = [];
  addWords(words, run, true);
  return { text, start: x, end: x + width, y, size, words, cell };
}

/** The words of a run, by the share of its letters; the first one may continue the last word. */
function addWords(words: RunWord[], run: TextRun, isNew: boolean): void {
  const letter = run.width / Math.max(1, run.text.length);
  const trailing = /\s$/.test(run.text);
  for (const { 0: text, index: at } of run.text.matchAll(/\S+/g)) {
    const start = run.x + at * letter;
    const end = run.x + (at + text.length) * letter;
    const last = words.at(-1);
    if (at === 0 && !isNew && last !== undefined && !last.isDone) {
      last.text += text;
      last.end = end;
    } else {
      const { y, size, isUnsure } = run;
      words.push({ text, start, end, y, size, isDone: false, isUnsure });
    }
  }
  const last = words.at(-1);
  if (trailing && last !== undefined) last.isDone = true;
}

function firstWordWidth(run: TextRun): number {
  const word = /^\S+/.exec(run.text.trimStart())?.[0] ?? "";
  return (run.width * word.length) / Math.max(1, run.text.length);
}

function isListItem(text: string): boolean {
  return bulleted.test(text) || simpleNumber.test(text);
}

function separatorBetween(
  line: Line,
  next: Line,
  margins: ReadonlyMap<string, number>,
): " " | "\n" | "\n\n" {
  const size = Math.max(line.size, next.size);
  if (Math.abs(line.size - next.size) > 0.12 * size) return "\n\n";
  if (line.isColumn !== next.isColumn) return "\n\n";
  const leading = line.y - next.y;
  const continues = /\p{Ll}$|[,;-]$/u.test(line.text) && /^\p{Ll}/u.test(next.text);
  // Upwards: the next column, or another text box.
  if (leading < -0.5 * size) return continues ? " " : "\n\n";
  if (next.lastCell !== null && line.lastCell !== null && leading < 3 * size) return "\n";
  if (leading > 1.55 * size) return "\n\n";
  // A table cell of more than one line.
  if (line.lastCell !== null && Math.abs(next.start - line.lastCell) < 0.5 * size) return " ";
  if (line.lastCell !== null || next.lastCell !== null || isListItem(next.text)) return "\n";
  if (withLeader.test(line.text)) return "\n";
  // A name after its label, above the street.
  if (labelled.test(line.text) && isAddressLine(next.text)) return "\n";
  const margin = rightMargin(line, margins);
  if (!line.isColumn && margin - line.start < runningTextWidth * size) return "\n";
  // Widths of words are estimates, so a line must end well before the margin.
  const fits = line.end + size + 1.3 * next.firstWord <= margin;
  return fits && !continues ? "\n" : " ";
}

/** The right edge of each column: the farthest end of lines with the same start and size. */
function rightMargins(lines: readonly Line[]): Map<string, number> {
  const margins = new Map<string, number>();
  for (const line of lines) {
    if (line.lastCell !== null) continue;
    const key = columnKey(line, 0);
    margins.set(key, Math.max(margins.get(key) ?? 0, line.end));
  }
  return margins;
}

function rightMargin(line: Line, margins: ReadonlyMap<string, number>): number {
  const near = [-1, 0, 1].map((offset) => margins.get(columnKey(line, offset)) ?? 0);
  return Math.max(line.end, ...near);
}

/** Columns differ by two letter sizes or more, so that an indented line stays in its column. */
function columnKey(line: Line, offset: number): string {
  const size = Math.round(line.size);
  return `${size}:${Math.round(line.start / (2 * Math.max(1, size))) + offset}`;
}

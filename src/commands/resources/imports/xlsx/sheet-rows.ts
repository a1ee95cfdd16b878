import { formatNumber, type CellFormat } from "#lib/spreadsheets/number-format.ts";
import type { Cell, MergedCells, TableRow } from "../source.ts";
import { unescaped, type Workbook } from "./workbook.ts";
import { xmlEvents } from "./xml-events.ts";

/** Columns of a sheet; a cell beyond them is damaged. */
const columnsAtMost = 16_384;

const timeKinds: ReadonlySet<string> = new Set(["date", "dateTime", "time", "elapsed"]);
const manyDigits = /^-?\d{16,}$/;

/** "AB12" gives 27; columns count from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.charCodeAt(0) - 64);
  return column <= columnsAtMost ? column - 1 : undefined;
}

/** The letters of a column: 27 gives "AB". */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : `${columnLetters(Math.floor(column / 26) - 1)}${letter}`;
}

interface OpenCell {
  readonly type: string;
  readonly style: number;
}

/** Rows of a worksheet (ECMA-376 part 1, 18.3) in the memory of a chunk. */
export async function* sheetRows(
  chunks: AsyncIterable<Uint8Array>,
  workbook: Workbook,
): AsyncGenerator<readonly TableRow[], void, undefined> {
  let rows: TableRow[] = [];
  let cells: Cell[] = [];
  let sumsRows = false;
  let number = 0;
  let column = -1;
  let cell: OpenCell | undefined;
  let value = "";
  let hasValue = false;
  let formula = "";
  let inside: "value" | "formula" | undefined;
  const events = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === "row") {
        number = Number(attributes["r"] ?? number + 1);
        [cells, column, sumsRows] = [[], -1, false];
      } else if (name === "c") {
        column = columnOf(attributes["r"]) ?? column + 1;
        cell = { type: attributes["t"] ?? "n", style: Number(attributes["s"] ?? 0) };
        [value, formula, hasValue] = ["", "", false];
      } else if (name === "f") inside = "formula";
      else if (name === "v" || name === "t") {
        inside = "value";
        hasValue = true;
      } else if (name === "rPh") inside = undefined;
    },
    close(name: string) {
      if (name === "c" && cell !== undefined) {
        if (hasValue) cells[column] = cellOf(cell, value, workbook);
        sumsRows ||= isSumOfRows(formula);
        cell = undefined;
      } else if (name === "row") rows.push({ number, cells: [...cells], sumsRows });
      else if (name === "v" || name === "t" || name === "f") inside = undefined;
    },
    text(text: string) {
      if (inside === "value") value += text;
      else if (inside === "formula") formula += text;
    },
  };
  for await (const _chunk of xmlEvents(chunks, events)) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}

function cellOf({ type, style }: OpenCell, value: string, workbook: Workbook): Cell {
  if (type === "inlineStr") return unescaped(value);
  // The empty text of a formula, such as `=IF(A2="","",B2)`, is an empty cell for who sees it.
  if (value === "") return undefined;
  if (type === "str") return unescaped(value);
  if (type === "s") return workbook.strings[Number(value)] ?? { error: "#TEXT!" };
  if (type === "b") return /^(?:1|true)$/i.test(value);
  if (type === "e") return { error: value };
  if (type === "d") return { date: value };
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const format: CellFormat = workbook.formats[style] ?? { kind: "plain" };
  if (timeKinds.has(format.kind)) {
    const text = formatNumber(value, format, workbook.from1904);
    if (!/\D/.test(text)) return number;
    if (format.kind !== "date" || Number.isInteger(number)) return { date: text };
    return { date: text, exact: formatNumber(value, { kind: "dateTime" }, workbook.from1904) };
  }
  if (format.kind === "digits") return formatNumber(value, format, false);
  // A spreadsheet shows 15 digits: an identifier with more keeps those of the file.
  return manyDigits.test(value) ? value : number;
}

/** Returns whether a formula adds up several rows, as below a table. */
function isSumOfRows(formula: string): boolean {
  if (formula === "" || !/^\+?(?:SUM|SUBTOTAL|AGGREGATE)\(/i.test(formula)) return false;
  const range = /\$?[A-Z]{1,3}\$?(\d+):\$?[A-Z]{1,3}\$?(\d+)/i.exec(formula);
  return range !== null && range[1] !== range[2];
}

const mergePattern = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"/g;
/** The characters of the longest element. */
const tailCharacters = 200;

/** The merged cells of a sheet, which are listed after its rows. Checks all bytes of the part. */
export async function mergedCells(chunks: AsyncIterable<Uint8Array>): Promise<MergedCells[]> {
  const found = new Map<string, MergedCells>();
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of chunks) {
    const text = tail + decoder.decode(chunk, { stream: true });
    for (const [, left, top, right, bottom] of text.matchAll(mergePattern)) {
      found.set(`${left}${top}`, {
        firstRow: Number(top),
        lastRow: Number(bottom),
        firstColumn: columnOf(left) ?? 0,
        lastColumn: columnOf(right) ?? 0,
      });
    }
    tail = text.slice(-tailCharacters);
  }
  return [...found.values()];
}

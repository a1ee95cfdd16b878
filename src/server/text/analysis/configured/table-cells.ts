import type { Span } from "./find-pattern.ts";

interface Cell extends Span {
  readonly text: string;
}

const rowsAtMost = 2_000;

/**
 * The cell of a table by its column's heading, and by the first cell of its row. Without a row: the
 * first one below the heading. A table is a run of lines whose cells are divided by tabs.
 */
export function findTableCell(
  text: string,
  { column, row }: { readonly column: string; readonly row?: string | undefined },
): Span | undefined {
  for (const table of tablesOf(text)) {
    for (const [at, heading] of table.entries()) {
      const index = heading.findIndex((cell) => isSame(cell.text, column));
      if (index < 0) continue;
      const below = table.slice(at + 1);
      const found =
        row === undefined
          ? below[0]
          : below.find(([first]) => first !== undefined && isSame(first.text, row));
      const cell = found?.[index];
      if (cell !== undefined && cell.end > cell.start) return { start: cell.start, end: cell.end };
    }
  }
  return undefined;
}

function* tablesOf(text: string): Generator<Cell[][], void, void> {
  let table: Cell[][] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (line.includes("\t") && table.length < rowsAtMost) table.push(cellsOf(line, start));
    else {
      if (table.length > 1) yield table;
      table = [];
    }
    start += line.length + 1;
  }
  if (table.length > 1) yield table;
}

function cellsOf(line: string, lineStart: number): Cell[] {
  let at = lineStart;
  return line.split("\t").map((written) => {
    const text = written.trim();
    const start = at + written.length - written.trimStart().length;
    at += written.length + 1;
    return { text, start, end: start + text.length };
  });
}

function isSame(one: string, other: string): boolean {
  const plain = (text: string): string =>
    text
      .trim()
      .replace(/[:*]+$/, "")
      .replaceAll(/\s+/g, " ")
      .toLowerCase();
  return plain(one) === plain(other);
}

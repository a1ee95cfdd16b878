import type { CellSpan, PageTable } from "../../tables/page-table.ts";
import { findCell, type CellPlace, type CellQuery } from "../../tables/find-cell.ts";

interface Page {
  readonly number: number;
  readonly text: string;
  readonly tables?: readonly PageTable[];
}

const rowsAtMost = 2_000;

/**
 * The cell of a table by its column's heading and its row's label. Pages of formats without tables
 * have one in each run of lines whose cells are divided by tabs.
 */
export function findTableCell(pages: readonly Page[], query: CellQuery): CellPlace | undefined {
  return findCell(
    pages.map((page) => ({ ...page, tables: page.tables ?? [...tablesOf(page.text)] })),
    query,
  );
}

function* tablesOf(text: string): Generator<PageTable, void, void> {
  let rows: CellSpan[][] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (line.includes("\t") && rows.length < rowsAtMost) rows.push(cellsOf(line, start));
    else {
      if (rows.length > 1) yield { header: 0, rows };
      rows = [];
    }
    start += line.length + 1;
  }
  if (rows.length > 1) yield { header: 0, rows };
}

function cellsOf(line: string, lineStart: number): CellSpan[] {
  let at = lineStart;
  return line.split("\t").map((written) => {
    const start = at + written.length - written.trimStart().length;
    const end = Math.max(start, at + written.trimEnd().length);
    at += written.length + 1;
    return [start, end];
  });
}

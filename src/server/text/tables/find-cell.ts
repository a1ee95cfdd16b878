import type { PageText } from "../extraction/extracted-document.ts";
import type { CellSpan, PageTable } from "./page-table.ts";

export interface CellQuery {
  /** A heading of the column. */
  readonly column: string;
  /** The label of the row, which is its first cell with text; default: the first row. */
  readonly row?: string | undefined;
}

export interface CellPlace {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The cell below a heading, in the row with a label. Rows on a next page have the headings of the
 * page on which their table began.
 */
export function findCell(
  pages: readonly Pick<PageText, "number" | "text" | "tables">[],
  { column, row }: CellQuery,
): CellPlace | undefined {
  const wanted = { column: plain(column), row: row === undefined ? undefined : plain(row) };
  /** The columns with the heading in the last table, for its rows on the next page. */
  let columns: readonly number[] = [];
  for (const { number: page, text, tables = [] } of pages) {
    const cellText = ([start, end]: CellSpan): string => plain(text.slice(start, end));
    for (const table of tables) {
      let body = table.rows;
      if (table.continues !== true) {
        const heading = headingWith(table, wanted.column, cellText);
        columns = heading?.columns ?? [];
        body = heading === undefined ? [] : table.rows.slice(heading.row + 1);
      }
      const found = cellIn(body, columns, wanted.row, cellText);
      if (found !== undefined) return { page, start: found[0], end: found[1] };
    }
  }
  return undefined;
}

/** The last heading row with the text; a table whose headings are unknown may have it anywhere. */
function headingWith(
  { rows, header }: PageTable,
  wanted: string,
  textOf: (cell: CellSpan) => string,
): { row: number; columns: number[] } | undefined {
  for (const [row, cells] of rows.entries()) {
    const columns = cells.flatMap((cell, index) => (textOf(cell) === wanted ? [index] : []));
    if (columns.length > 0) return { row: Math.max(row, header - 1), columns };
  }
  return undefined;
}

function cellIn(
  rows: readonly (readonly CellSpan[])[],
  columns: readonly number[],
  label: string | undefined,
  textOf: (cell: CellSpan) => string,
): CellSpan | undefined {
  for (const cells of rows) {
    if (label !== undefined) {
      const first = cells.map(textOf).find((text) => text !== "");
      if (first !== label) continue;
    }
    for (const column of columns) {
      const cell = cells[column];
      if (cell !== undefined && cell[1] > cell[0]) return cell;
    }
    // Without a label only the first row counts.
    if (label === undefined) return undefined;
  }
  return undefined;
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/[:*]+$/, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

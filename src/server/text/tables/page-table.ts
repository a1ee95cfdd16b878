/** The place of a cell's text on its page, in UTF-16 units; empty when both are equal. */
export type CellSpan = readonly [start: number, end: number];

/** A table of one page. A merged cell is in each place that it covers. */
export interface PageTable {
  /** Rows at the top that are headings. */
  readonly header: number;
  /** Rows with equal numbers of cells. */
  readonly rows: readonly (readonly CellSpan[])[];
  /** The rows continue the last table of the page before, whose headings they have. */
  readonly continues?: true;
}

/** Limits of tables; cells above them stay text. */
export const tableLimits = {
  columns: 64,
  rowsOfTable: 1_000,
  cellsOfPage: 5_000,
  cellsOfDocument: 50_000,
  /** Longer cells are the parts of a page's layout. */
  cellCharacters: 1_000,
} as const;

/** A value rather than a word: it begins with a digit, perhaps after a sign or a currency. */
const value = /^[^\p{L}\d]{0,3}(?:[A-Z]{3} )?\d/u;
const year = /^(?:19|20)\d\d(?:[/–-]\d{2,4})?$/;
const longestHeading = 80;

/** The number of heading rows: rows of words, or of years, above rows with values. */
export function headingRows(rows: readonly (readonly string[])[]): number {
  const [first = [], second = [], ...rest] = rows;
  if (!isHeading(first)) return 0;
  if (first.length > 2) {
    // The second row of headings has no label, or the first row has none.
    const isPair = rest.length > 0 && first.includes("") && second.includes("");
    if (isPair && isHeading(second, 1)) return 2;
    return rest.length > 0 || second.some((text) => value.test(text)) ? 1 : 0;
  }
  // Most tables of two columns are labels with values, without a heading.
  const valued = [second, ...rest].filter((row) => value.test(row[1] ?? "")).length;
  return !first.some((text) => /\d/.test(text)) && valued * 2 > rest.length ? 1 : 0;
}

function isHeading(cells: readonly string[], least = 2): boolean {
  const words = cells.filter((text) => text !== "");
  return (
    words.length >= Math.max(least, cells.length - 2) &&
    words.every((text) => text.length <= longestHeading && (year.test(text) || !value.test(text)))
  );
}

export function cellsOf(tables: readonly PageTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows.length * (rows[0]?.length ?? 0), 0);
}

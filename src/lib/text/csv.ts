/** Text that a spreadsheet would run as a formula, and text that already looks marked. */
const formula = /^'*(?:[=@\t\r]|[+-](?!\d[\d .]*$))/;

/** Rows as CSV lines (RFC 4180: CRLF); formulas get a `'`, an empty text is `""`. */
export async function csvLines(
  rows: readonly (readonly unknown[])[],
  separator = ",",
): Promise<string> {
  if (rows.length === 0) return "";
  const { default: Papa } = await import("papaparse");
  const cells = rows.map((row) => [...row]);
  const options = {
    newline: "\r\n",
    delimiter: separator,
    escapeFormulae: formula,
    quotes: isEmptyText,
  };
  return `${Papa.unparse(cells, options)}\r\n`;
}

function isEmptyText(cell: unknown): boolean {
  return cell === "";
}

/** The original text of a cell that {@link csvLines} wrote. */
export function withoutMark(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

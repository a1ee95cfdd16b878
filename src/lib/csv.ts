/**
 * What a spreadsheet would run (a number with its sign is none), and what looks like one that was
 * made harmless: so that {@link withoutMark} gives back what was there.
 */
const formula = /^'*(?:[=@\t\r]|[+-](?!\d[\d .]*$))/;

/**
 * Rows as CSV lines with their line ends (RFC 4180: CRLF). A text that a spreadsheet would take for a
 * formula gets a `'` before it; an empty text is `""`, and what is not there is nothing at all.
 */
export async function csvLines(rows: readonly (readonly unknown[])[]): Promise<string> {
  if (rows.length === 0) return "";
  const { default: Papa } = await import("papaparse");
  const cells = rows.map((row) => [...row]);
  return `${Papa.unparse(cells, { newline: "\r\n", escapeFormulae: formula, quotes: isEmptyText })}\r\n`;
}

function isEmptyText(cell: unknown): boolean {
  return cell === "";
}

/** A cell that `csvLines` wrote, without the `'` that it put before a formula. */
export function withoutMark(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

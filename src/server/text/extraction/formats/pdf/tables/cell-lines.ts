/** "217 Elm Street", or "Marktplatz 38" and "Austin, TX 78737". */
const addressLine =
  /^(?:\d{1,5}[A-Za-z]?(?: \p{Lu}[\p{L}’'.-]*){1,4}|\p{Lu}[\p{L}’'.-]*,?(?: [\p{L}’'.-]+,?){0,4} \d{1,5}[a-z]?)$/u;

/** True for a line that is a street or a place with its number, which begins a line. */
export function isAddressLine(text: string): boolean {
  return addressLine.test(text.trim());
}

/** The next line of a cell. */
export interface NextLine {
  readonly text: string;
  readonly size: number;
  readonly words: readonly { readonly start: number; readonly end: number }[];
}

/** The text of a cell up to a line, and where that line ends. */
export interface CellSoFar {
  readonly text: string;
  readonly end: number;
}

/**
 * The text between two lines of a cell: a line end where the next word had space before `edge`, or
 * where the cell has such a line end and the next line begins as one, and before a street; else a
 * space, as before a word in lower case, or nothing after a hyphen before digits ("24-Jul-" and
 * "2026").
 */
export function lineBreak(cell: CellSoFar, next: NextLine, edge: number): "\n" | " " | "" {
  const text = next.text.trim();
  const [first] = next.words;
  const width = first === undefined ? 0 : first.end - first.start;
  const isWrapped = cell.end + 0.3 * next.size + width > edge;
  const begins = cell.text.includes("\n") && /^[\p{Lu}\d]/u.test(text);
  const isJoined = /[\p{L}\p{N}]-$/u.test(cell.text) && /^\d/.test(text);
  if (isJoined) return "";
  if (/^\p{Ll}[\p{Ll}-]*(?:[\s,.;)]|$)/u.test(text)) return " ";
  return isWrapped && !begins && !isAddressLine(text) ? " " : "\n";
}

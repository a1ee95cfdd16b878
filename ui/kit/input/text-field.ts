import { blockText, splitGraphemes } from "#lib/text/terminal.ts";
import { textWidth } from "../text/text-layout.ts";
import { countWords } from "../text/words.ts";

/** A text that is typed, in graphemes; the cursor is before the grapheme at `cursor`. */
export interface TextField {
  readonly graphemes: readonly string[];
  readonly cursor: number;
}

/** Limit of the characters (UTF-16) of a text that is typed. */
const maximumCharacters = 100_000;

export function textField(text = ""): TextField {
  const graphemes = splitGraphemes(text);
  return { graphemes, cursor: graphemes.length };
}

export function fieldText(field: TextField): string {
  return field.graphemes.join("");
}

/** Why a text does not fit into the field; `undefined` where it does. */
export function roomProblem(field: TextField, text: string): string | undefined {
  const length = field.graphemes.reduce((sum, grapheme) => sum + grapheme.length, 0);
  if (length + text.length <= maximumCharacters) return undefined;
  const [room, given, most] = [maximumCharacters - length, text.length, maximumCharacters].map(
    (count) => countWords(Math.max(0, count)),
  );
  return `nothing was inserted: ${given} characters do not fit, there is room for ${room} of ${most}`;
}

/**
 * Inserts at the cursor; split again, since a combining mark joins the grapheme before it. A text
 * that does not fit is not inserted.
 */
export function insertText(field: TextField, text: string): TextField {
  if (roomProblem(field, text) !== undefined) return field;
  const before = splitGraphemes(field.graphemes.slice(0, field.cursor).join("") + text);
  const graphemes = [...before, ...field.graphemes.slice(field.cursor)];
  return { graphemes, cursor: before.length };
}

/** A grapheme as it is drawn; the text itself stays as it was typed. */
export function shownGrapheme(grapheme: string): string {
  return blockText(grapheme);
}

function graphemeWidth(grapheme: string): number {
  return textWidth(shownGrapheme(grapheme));
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), maximum);
}

export function moveCursor(field: TextField, by: number): TextField {
  return { ...field, cursor: clamp(field.cursor + by, 0, field.graphemes.length) };
}

const isSpace = (grapheme: string | undefined) => grapheme === undefined || /\s/.test(grapheme);

function wordStart(field: TextField, from: number): number {
  let at = from;
  while (at > 0 && isSpace(field.graphemes[at - 1])) at -= 1;
  while (at > 0 && !isSpace(field.graphemes[at - 1])) at -= 1;
  return at;
}

function wordEnd(field: TextField, from: number): number {
  const end = field.graphemes.length;
  let at = from;
  while (at < end && isSpace(field.graphemes[at])) at += 1;
  while (at < end && !isSpace(field.graphemes[at])) at += 1;
  return at;
}

function lineStart(field: TextField): number {
  return field.graphemes.lastIndexOf("\n", field.cursor - 1) + 1;
}

function lineEnd(field: TextField): number {
  const found = field.graphemes.indexOf("\n", field.cursor);
  return found === -1 ? field.graphemes.length : found;
}

export const jumps = {
  wordLeft: (field: TextField) => ({ ...field, cursor: wordStart(field, field.cursor) }),
  wordRight: (field: TextField) => ({ ...field, cursor: wordEnd(field, field.cursor) }),
  lineStart: (field: TextField) =>
    field.cursor === 0 ? field : { ...field, cursor: lineStart(field) },
  lineEnd: (field: TextField) => ({ ...field, cursor: lineEnd(field) }),
} as const;

function cut(field: TextField, from: number, to: number): TextField {
  return {
    graphemes: [...field.graphemes.slice(0, from), ...field.graphemes.slice(to)],
    cursor: from,
  };
}

export const erasures = {
  left: (field: TextField, count: number) =>
    cut(field, Math.max(0, field.cursor - count), field.cursor),
  right: (field: TextField, count: number) =>
    cut(field, field.cursor, Math.min(field.graphemes.length, field.cursor + count)),
  word: (field: TextField) => cut(field, wordStart(field, field.cursor), field.cursor),
  toStart: (field: TextField) =>
    cut(field, field.cursor === 0 ? 0 : lineStart(field), field.cursor),
  toEnd: (field: TextField) => cut(field, field.cursor, lineEnd(field)),
} as const;

/** One screen row of a field; `cursor` is an index into its graphemes. */
export interface FieldRow {
  readonly graphemes: readonly string[];
  readonly start: number;
  readonly cursor: number | undefined;
}

/** Length of the last word of a full row, which wraps to the next row; 0 for the only word. */
function lastWord(graphemes: readonly string[]): number {
  const blank = graphemes.findLastIndex((grapheme) => isSpace(grapheme));
  return blank === -1 ? 0 : graphemes.length - 1 - blank;
}

/** The field wrapped into rows, between words where possible, and the row with the cursor. */
function wrappedRows(field: TextField, width: number) {
  let row: { graphemes: string[]; start: number } = { graphemes: [], start: 0 };
  const rows = [row];
  let used = 0;
  field.graphemes.forEach((grapheme, index) => {
    if (grapheme === "\n") {
      rows.push((row = { graphemes: [], start: index + 1 }));
      used = 0;
      return;
    }
    const wide = graphemeWidth(grapheme);
    // A blank after the last word may take the cursor's column.
    const room = isSpace(grapheme) ? width : width - 1;
    if (used + wide > room) {
      const end = row.graphemes.length - (isSpace(grapheme) ? 0 : lastWord(row.graphemes));
      const moved = row.graphemes.splice(end);
      rows.push((row = { graphemes: moved, start: index - moved.length }));
      used = moved.reduce((sum, one) => sum + graphemeWidth(one), 0);
    }
    row.graphemes.push(grapheme);
    used += wide;
  });
  // The cursor after the last grapheme also needs a column.
  if (used > width - 1) rows.push({ graphemes: [], start: field.graphemes.length });
  let cursorRow = rows.length - 1;
  while (cursorRow > 0 && (rows[cursorRow]?.start ?? 0) > field.cursor) cursorRow -= 1;
  return { rows, cursorRow };
}

/** The field in rows of at most `width` columns, with room for the cursor in the last row. */
export function fieldRows(field: TextField, width: number): FieldRow[] {
  const { rows, cursorRow } = wrappedRows(field, width);
  return rows.map((row, index) => ({
    graphemes: row.graphemes,
    start: row.start,
    cursor: index === cursorRow ? field.cursor - row.start : undefined,
  }));
}

/** The field with its cursor moved by screen rows; `undefined` where there is no such row. */
export function moveRows(field: TextField, by: number, width: number): TextField | undefined {
  const { rows, cursorRow } = wrappedRows(field, width);
  const [from, to] = [rows[cursorRow], rows[cursorRow + by]];
  if (from === undefined || to === undefined) return undefined;
  return { ...field, cursor: to.start + Math.min(field.cursor - from.start, to.graphemes.length) };
}

/** The part of a one-line field around the cursor, in at most `width` columns. */
export function fieldWindow(field: TextField, width: number): FieldRow {
  const widthAt = (index: number) => graphemeWidth(field.graphemes[index] ?? " ");
  let used = Math.max(1, widthAt(field.cursor));
  let start = field.cursor;
  while (start > 0 && used + widthAt(start - 1) <= width) {
    start -= 1;
    used += widthAt(start);
  }
  let end = Math.min(field.cursor + 1, field.graphemes.length);
  while (end < field.graphemes.length && used + widthAt(end) <= width) {
    used += widthAt(end);
    end += 1;
  }
  return { graphemes: field.graphemes.slice(start, end), start, cursor: field.cursor - start };
}

/** Text offsets as grapheme indexes, the end excluded. */
export function graphemesBetween(
  field: TextField,
  offsets: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } {
  let offset = 0;
  let start = field.graphemes.length;
  let end = field.graphemes.length;
  for (const [index, grapheme] of field.graphemes.entries()) {
    if (offset <= offsets.start) start = index;
    offset += grapheme.length;
    if (offset >= offsets.end) {
      end = index + 1;
      break;
    }
  }
  return { start, end };
}

import { Part } from "../state/part.ts";

/** Whether the dashboard is read as lines, by a screen reader or on a terminal without a cursor. */
export const spokenPart = new Part<{ readonly isSpoken: boolean }>("way of reading");

/** The columns that the number of a row and its state take. */
export const numberWidth = 14;

interface RowState {
  readonly selected?: boolean;
  readonly marked?: boolean;
  readonly isNew?: boolean;
  readonly isGhost?: boolean;
}

/** The beginning of a row that can be chosen by its number, e.g. `3. selected `. */
export function rowNumber(index: number, state: RowState = {}): string {
  const { selected = false, marked = false, isNew = false, isGhost = false } = state;
  const words = [
    selected ? "selected" : "",
    marked ? "marked" : "",
    isNew ? "new" : "",
    isGhost ? "gone" : "",
  ].filter((word) => word !== "");
  return `${index + 1}. ${words.join(" ")}${words.length === 0 ? "" : "  "}`;
}

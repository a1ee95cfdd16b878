import type { KeyHandlers } from "../keys/key-bindings.ts";

/** The selected row of a list and the first visible row, the same for tables, trees and dialogs. */
export interface ListCursor {
  readonly index: number;
  readonly top: number;
}

export const listStart: ListCursor = { index: 0, top: 0 };

/** Moves the cursor into a list of `count` rows, and the selected row into the visible `rows`. */
export function settle(cursor: ListCursor, count: number, rows: number): ListCursor {
  const index = Math.max(0, Math.min(cursor.index, count - 1));
  const height = Math.max(1, rows);
  const lowest = Math.max(0, count - height);
  let top = Math.max(0, Math.min(cursor.top, lowest));
  if (index < top) top = index;
  if (index >= top + height) top = index - height + 1;
  return index === cursor.index && top === cursor.top ? cursor : { index, top };
}

export function moveBy(cursor: ListCursor, by: number, count: number, rows: number): ListCursor {
  return settle({ ...cursor, index: cursor.index + by }, count, rows);
}

/** Moves by pages, each with one row of the page before it. */
export function pageBy(cursor: ListCursor, pages: number, count: number, rows: number): ListCursor {
  const step = Math.max(1, rows - 1) * pages;
  return settle({ index: cursor.index + step, top: cursor.top + step }, count, rows);
}

export function moveTo(cursor: ListCursor, index: number, count: number, rows: number): ListCursor {
  return settle({ ...cursor, index }, count, rows);
}

export function visibleRows<Row>(
  rows: readonly Row[],
  { index, top }: ListCursor,
  height: number,
): { readonly row: Row; readonly isSelected: boolean }[] {
  return rows
    .slice(top, top + height)
    .map((row, offset) => ({ row, isSelected: top + offset === index }));
}

/** The rows that a cursor moves through, and those of them that fit on the screen. */
export interface ListSize {
  readonly count: number;
  readonly rows: number;
}

export function movesThrough(
  setCursor: (change: (now: ListCursor) => ListCursor) => void,
  sizeNow: () => ListSize,
): KeyHandlers {
  // Rows may have gone since the cursor was set: moves start where it is shown.
  const move = (step: (now: ListCursor, count: number, rows: number) => ListCursor) =>
    setCursor((now) => {
      const { count, rows } = sizeNow();
      return step(settle(now, count, rows), count, rows);
    });
  return {
    up: (times) => move((now, count, rows) => moveBy(now, -times, count, rows)),
    down: (times) => move((now, count, rows) => moveBy(now, times, count, rows)),
    pageUp: (times) => move((now, count, rows) => pageBy(now, -times, count, rows)),
    pageDown: (times) => move((now, count, rows) => pageBy(now, times, count, rows)),
    first: () => move((now, count, rows) => moveTo(now, 0, count, rows)),
    last: () => move((now, count, rows) => moveTo(now, count - 1, count, rows)),
  };
}

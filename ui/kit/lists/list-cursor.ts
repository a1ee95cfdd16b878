/**
 * The selected row of a list, and the first row that is shown. Pure, so that a table, a tree, a
 * palette and a file browser move alike.
 */
export interface ListCursor {
  readonly index: number;
  readonly top: number;
}

export const listStart: ListCursor = { index: 0, top: 0 };

/** Brings both places into the list, and the selected row into view. `rows` is the visible count. */
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

/** A page keeps one row of what was seen, so that the eye finds its place. */
export function pageBy(cursor: ListCursor, pages: number, count: number, rows: number): ListCursor {
  const step = Math.max(1, rows - 1) * pages;
  return settle({ index: cursor.index + step, top: cursor.top + step }, count, rows);
}

export function moveTo(cursor: ListCursor, index: number, count: number, rows: number): ListCursor {
  return settle({ ...cursor, index }, count, rows);
}

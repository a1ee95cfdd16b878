/** Rows of the pane of places: one, its Object Types, and the other places below them. */

/**
 * Those that are drawn in so many lines. Places stay where they are, so that none is lost to a
 * workspace of many types: of these come as many as there is room for, around the row `at`.
 */
export function shownRows<Row>(
  rows: readonly Row[],
  { typeCount, at, lines }: { typeCount: number; at: number; lines: number },
): readonly Row[] {
  const hidden = Math.min(typeCount, rows.length - lines);
  if (hidden <= 0) return rows;
  const room = typeCount - hidden;
  const first = 1 + Math.max(0, Math.min(at - 1 - Math.floor(room / 2), hidden));
  return [...rows.slice(0, 1), ...rows.slice(first, first + room), ...rows.slice(1 + typeCount)];
}

import type { KeyHandlers } from "../keys/key-bindings.ts";
import { moveBy, moveTo, pageBy, settle, type ListCursor } from "./list-cursor.ts";

export function movesThrough(
  setCursor: (change: (now: ListCursor) => ListCursor) => void,
  count: number,
  rows: number,
): KeyHandlers {
  // Rows may have gone since the cursor was set: moves start where it is shown.
  const move = (change: (now: ListCursor) => ListCursor) =>
    setCursor((now) => change(settle(now, count, rows)));
  return {
    up: (times) => move((now) => moveBy(now, -times, count, rows)),
    down: (times) => move((now) => moveBy(now, times, count, rows)),
    pageUp: (times) => move((now) => pageBy(now, -times, count, rows)),
    pageDown: (times) => move((now) => pageBy(now, times, count, rows)),
    first: () => move((now) => moveTo(now, 0, count, rows)),
    last: () => move((now) => moveTo(now, count - 1, count, rows)),
  };
}

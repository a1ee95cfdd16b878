import { moveBy, moveTo, pageBy, settle, type ListCursor } from "../list-cursor.ts";
import type { KeyHandlers } from "../keys.ts";
import type { LiveAnswer } from "./use-answer.ts";
import { useKept } from "./use-kept.tsx";
import type { LiveList } from "./use-list.ts";

const start: ListCursor = { index: 0, top: 0 };

/** Keys that move through `count` rows, `rows` of them visible. */
export function movesThrough(
  setCursor: (change: (now: ListCursor) => ListCursor) => void,
  count: number,
  rows: number,
): KeyHandlers {
  return {
    up: (times) => setCursor((now) => moveBy(now, -times, count, rows)),
    down: (times) => setCursor((now) => moveBy(now, times, count, rows)),
    pageUp: (times) => setCursor((now) => pageBy(now, -times, count, rows)),
    pageDown: (times) => setCursor((now) => pageBy(now, times, count, rows)),
    first: () => setCursor((now) => moveTo(now, 0, count, rows)),
    last: () => setCursor((now) => moveTo(now, count - 1, count, rows)),
  };
}

/** An answer that is a whole list, with a selected row, for the panes that draw lists. */
export function useStaticList<Row>(
  key: string,
  answer: LiveAnswer<readonly Row[]>,
  keyOf: (row: Row) => string,
  height: number,
): LiveList<Row> {
  const [kept, setCursor] = useKept<ListCursor>(`list ${key}`, start);
  const rows = answer.value ?? [];
  const cursor = settle(kept, rows.length, height);
  return {
    count: rows.length,
    counted: true,
    rowAt: (index) => rows[index],
    sample: rows,
    failure: answer.failure,
    answeredAtMs: answer.answeredAtMs,
    asking: answer.asking,
    cursor,
    selected: rows[cursor.index],
    keyOf,
    moves: movesThrough(setCursor, rows.length, height),
    refresh: answer.refresh,
    indexOf: (id) => rows.findIndex((row) => keyOf(row) === id),
    select: (id) => {
      const index = rows.findIndex((row) => keyOf(row) === id);
      if (index !== -1) setCursor((now) => moveTo(now, index, rows.length, height));
    },
  };
}

import { listStart, moveTo, settle, type ListCursor } from "../../kit/lists/list-cursor.ts";
import { movesThrough } from "../../kit/lists/list-moves.ts";
import type { LiveAnswer } from "./use-answer.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import type { LiveList } from "../../kit/lists/live-list.ts";

/** An answer that is a whole list, with a selected row, for the panes that draw lists. */
export function useAnsweredList<Row>(
  key: string,
  answer: LiveAnswer<readonly Row[]>,
  keyOf: (row: Row) => string,
  height: number,
): LiveList<Row> {
  const [kept, setCursor] = useRemembered<ListCursor>(`list ${key}`, listStart);
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

import {
  listStart,
  moveTo,
  settle,
  movesThrough,
  type ListCursor,
} from "../../kit/lists/list-cursor.ts";
import type { LiveAnswer } from "./use-answer.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import type { LiveList } from "../../kit/lists/live-list.ts";

/** An answer that is a whole list, as a list with a selected row. */
export function useAnsweredList<Row>(
  key: string,
  answer: LiveAnswer<readonly Row[]>,
  keyOf: (row: Row) => string,
  height: number,
): LiveList<Row> {
  const [position, setCursor] = useRemembered<ListCursor>(`list ${key}`, listStart);
  const rows = answer.value ?? [];
  const cursor = settle(position, rows.length, height);
  const indexOf = (id: string) => rows.findIndex((row) => keyOf(row) === id);
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
    indexOf,
    select: (id) => {
      const index = indexOf(id);
      if (index !== -1) setCursor((now) => moveTo(now, index, rows.length, height));
    },
  };
}

import type { LiveAnswer } from "./use-answer.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import type { LiveList } from "../../kit/lists/live-list.ts";
import {
  positionStart,
  useKeyedRows,
  useRowCursor,
  type RowPosition,
} from "../../kit/lists/use-row-cursor.ts";

const noRows: readonly never[] = [];

/** An answer that is a whole list, as a list with a selected row. */
export function useAnsweredList<Row>(
  key: string,
  answer: LiveAnswer<readonly Row[]>,
  keyOf: (row: Row) => string,
  height: number,
): LiveList<Row> {
  const [position, setPosition] = useRemembered<RowPosition>(`list ${key}`, positionStart);
  const rows = answer.value ?? noRows;
  const keyed = useKeyedRows<Row>(rows, keyOf, height);
  const { cursor, moves, select } = useRowCursor(position, setPosition, keyed);
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
    moves,
    refresh: answer.refresh,
    indexOf: keyed.indexOf,
    select,
    reveal: (id) => {
      answer.refresh();
      select(id);
    },
  };
}

import type { ListView } from "../answers/paged-list.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import type { ListCursor } from "./list-cursor.ts";

/** A list with a selected row, as screens and hooks see it. */
export interface LiveList<Row> extends ListView<Row> {
  readonly cursor: ListCursor;
  readonly selected: Row | undefined;
  readonly keyOf: (row: Row) => string;
  readonly moves: KeyHandlers;
  readonly refresh: () => void;
  /** Index of the row with this key; -1 while it is not loaded. */
  readonly indexOf: (id: string) => number;
  /** Selects the row with this key as soon as it is loaded, unless loading ends without it. */
  readonly select: (id: string) => void;
  /** Refreshes and selects a new row: on the first page, else at one of these indexes. */
  readonly reveal: (id: string, indexes?: Promise<readonly number[]>) => void;
}

/** The `height` rows from the first visible one; `undefined` for a row that is not loaded. */
export function visibleRows<Row>(
  { cursor, rowAt }: LiveList<Row>,
  height: number,
): readonly (Row | undefined)[] {
  return Array.from({ length: height }, (_, offset) => rowAt(cursor.top + offset));
}

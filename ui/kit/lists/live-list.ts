import type { ListView } from "../answers/paged-list.ts";
import type { RowCursor } from "../cursor/row-cursor.ts";

/** A list with a selected row, as screens and hooks see it. A step of the cursor changes none. */
export interface LiveList<Row> extends ListView<Row> {
  readonly cursor: RowCursor<Row>;
  readonly keyOf: (row: Row) => string;
  readonly refresh: () => void;
  /** Index of the row with this key; -1 while it is not loaded. */
  readonly indexOf: (id: string) => number;
  /** Selects the row with this key as soon as it is loaded, unless loading ends without it. */
  readonly select: (id: string) => void;
  /** Refreshes and selects a new row: on the first page, else at one of these indexes. */
  readonly reveal: (id: string, indexes?: Promise<readonly number[]>) => void;
}

/** The selected row as the list has it, which may be newer than the cursor's. */
export function selectedIn<Row>({ cursor, rowAt, sought }: LiveList<Row>): Row | undefined {
  return sought ?? rowAt(cursor.get().index);
}

/** The `height` rows from this one; `undefined` for a row that is not loaded. */
export function rowsFrom<Row>(
  { rowAt }: Pick<LiveList<Row>, "rowAt">,
  top: number,
  height: number,
): readonly (Row | undefined)[] {
  return Array.from({ length: height }, (_, offset) => rowAt(top + offset));
}

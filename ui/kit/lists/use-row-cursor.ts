import { useCallback, useEffect, useEffectEvent, useMemo } from "react";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import { movesThrough, settle, type ListCursor } from "./list-cursor.ts";

/** The cursor of a list, which belongs to a row and not to a place. */
export interface RowPosition {
  readonly cursor: ListCursor;
  /** Key of the selected row; absent until the row is loaded. */
  readonly id: string | undefined;
  /** Key of a row that is selected as soon as it is loaded. */
  readonly wanted?: string | undefined;
}

export const positionStart: RowPosition = { cursor: { index: 0, top: 0 }, id: undefined };

export interface RowsOfCursor {
  readonly count: number;
  readonly height: number;
  readonly keyAt: (index: number) => string | undefined;
  /** Index of the row with this key; -1 while it is not loaded. */
  readonly indexOf: (id: string) => number;
  /** The selected row has left its page and is looked for on others. */
  readonly isSought?: boolean;
  /** Resolves when no page is being loaded, at once without it. */
  readonly loaded?: () => Promise<void>;
}

export interface RowCursor {
  readonly cursor: ListCursor;
  readonly moves: KeyHandlers;
  readonly select: (id: string) => void;
}

type SetPosition = (change: (now: RowPosition) => RowPosition) => void;

/** The cursor moved to a row, with the rows around it; a list at its start stays there. */
function shifted({ index, top }: ListCursor, to: number): ListCursor {
  return to === index ? { index, top } : { index: to, top: top && Math.max(0, top + to - index) };
}

function placeOf({ cursor, id, wanted }: RowPosition, rows: RowsOfCursor): ListCursor {
  const wantedAt = wanted === undefined ? -1 : rows.indexOf(wanted);
  if (wantedAt !== -1) return { ...cursor, index: wantedAt };
  if (id === undefined || rows.keyAt(cursor.index) === id) return cursor;
  const at = rows.indexOf(id);
  return at === -1 ? cursor : shifted(cursor, at);
}

/**
 * The cursor of a list by the key of its row: it follows the row when others appear or vanish, and
 * goes to the next one when the row is gone.
 */
export function useRowCursor(
  position: RowPosition,
  setPosition: SetPosition,
  rows: RowsOfCursor,
): RowCursor {
  const { count, height, keyAt, indexOf, isSought = false, loaded } = rows;
  const cursor = settle(placeOf(position, rows), count, height);
  const { index, top } = cursor;
  const key = keyAt(index);
  const { wanted } = position;
  const isWantedHere = wanted !== undefined && wanted === key;
  const isBound = position.id === key && position.cursor.index === index && !isWantedHere;
  useEffect(() => {
    if (key === undefined || isBound || isSought) return;
    setPosition((now) => ({
      cursor: { index, top },
      id: key,
      wanted: now.wanted === key ? undefined : now.wanted,
    }));
  }, [setPosition, key, isBound, isSought, index, top]);
  const isMissing = wanted !== undefined && indexOf(wanted) === -1;
  // A row that appears later must not take the cursor away.
  const giveUp = useEffectEvent(() => {
    if (wanted === undefined || indexOf(wanted) !== -1) return;
    setPosition((now) => (now.wanted === wanted ? { ...now, wanted: undefined } : now));
  });
  useEffect(() => {
    if (!isMissing || loaded === undefined) return undefined;
    let left = false;
    void loaded().then(() => left || giveUp());
    return () => {
      left = true;
    };
  }, [isMissing, wanted, loaded]);
  const move = (change: (now: ListCursor) => ListCursor) =>
    setPosition(() => {
      const next = change(cursor);
      return { cursor: next, id: keyAt(next.index) };
    });
  const select = useCallback(
    (id: string) => setPosition((now) => ({ ...now, wanted: id })),
    [setPosition],
  );
  return { cursor, moves: movesThrough(move, count, height), select };
}

/** The rows of a whole list, for its cursor. */
export function useKeyedRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  height: number,
): RowsOfCursor {
  return useMemo(() => {
    const keys = rows.map(keyOf);
    return {
      count: keys.length,
      height,
      keyAt: (index: number) => keys[index],
      indexOf: (id: string) => keys.indexOf(id),
    };
  }, [rows, keyOf, height]);
}

import { useLayoutEffect, useMemo } from "react";
import { useRememberedCell } from "../state/use-remembered.ts";
import { actOn } from "../cursor/row-cursor.ts";
import type { LiveList } from "./live-list.ts";

/** Caution above details whose record no longer exists. */
export const goneWords = "Deleted: this is its last known state";

/** Caution above details whose record the list no longer shows; the filter as typed. */
export function lostWords(filter: string): string {
  return `No longer listed here${filter === "" ? "" : `: filter ${filter}`}`;
}

/** The row that the details show. */
export interface Opened<Row> {
  readonly row: Row | undefined;
  /** Open, but no longer in the list: its data may be old. */
  readonly isLost: boolean;
}

export interface OpenedRow<Row> {
  /** The row at the moment of the call: no component renders when the cursor moves. */
  readonly get: () => Opened<Row>;
  /** Its row, of the same function while the list is the same. */
  readonly current: () => Row | undefined;
  /** Returns a handler that does something to the row, where there is one. */
  readonly act: (run: (row: Row) => void) => () => void;
  /** Replaces the data of a row that the list no longer has. */
  readonly renew: (row: Row) => void;
}

/**
 * The row that the details show: the selected one while the list has the focus, else the one that
 * they were opened for. That one stays when it leaves the list, so that no key acts on another row.
 */
export function useOpenedRow<Row>(
  name: string,
  list: LiveList<Row>,
  isOpen: boolean,
): OpenedRow<Row> {
  const kept = useRememberedCell<Row | undefined>(`open ${name}`, undefined);
  const opened = useMemo((): OpenedRow<Row> => {
    const get = (): Opened<Row> => {
      const row = isOpen ? kept.get() : undefined;
      if (row === undefined) {
        // The list may have a newer row than the cursor.
        return { row: list.sought ?? list.rowAt(list.cursor.get().index), isLost: false };
      }
      const at = list.indexOf(list.keyOf(row));
      const isKnown = list.answeredAtMs !== undefined && !list.asking;
      return { row: list.rowAt(at) ?? row, isLost: at === -1 && isKnown };
    };
    const current = () => get().row;
    return { get, current, act: actOn(current), renew: (row) => kept.set(() => row) };
  }, [kept, list, isOpen]);
  const row = isOpen ? opened.get().row : undefined;
  useLayoutEffect(() => kept.set(() => row), [kept, row]);
  const { keyOf, select } = list;
  const key = row === undefined ? undefined : keyOf(row);
  useLayoutEffect(() => {
    if (key !== undefined) select(key);
  }, [key, select]);
  return opened;
}

import { useLayoutEffect } from "react";
import { useRemembered } from "../state/use-remembered.tsx";
import type { LiveList } from "./live-list.ts";

/** Caution above details whose record no longer exists. */
export const goneWords = "Deleted: this is its last known state";

/** Caution above details whose record the list no longer shows; the filter as typed. */
export function lostWords(filter: string): string {
  return `No longer listed here${filter === "" ? "" : `: filter ${filter}`}`;
}

export interface OpenedRow<Row> {
  readonly row: Row | undefined;
  /** Open, but no longer in the list: its data may be old. */
  readonly isLost: boolean;
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
  const [opened, setOpened] = useRemembered<Row | undefined>(`open ${name}`, undefined);
  const { selected, keyOf, select } = list;
  const key = isOpen && opened !== undefined ? keyOf(opened) : undefined;
  const place = key === undefined ? -1 : list.indexOf(key);
  const row = key === undefined ? selected : (list.rowAt(place) ?? opened);
  const latest = isOpen ? row : undefined;
  useLayoutEffect(() => {
    if (latest !== opened) setOpened(latest);
  }, [latest, opened, setOpened]);
  useLayoutEffect(() => {
    if (key !== undefined) select(key);
  }, [key, select]);
  const isKnown = list.answeredAtMs !== undefined && !list.asking;
  return { row, isLost: key !== undefined && place === -1 && isKnown };
}

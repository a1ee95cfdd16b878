import { useLayoutEffect } from "react";
import type { LiveList } from "./live-list.ts";
import { useRemembered } from "../state/use-remembered.tsx";

/** Said of what is open though it is not there any more. */
export const goneWords = "Deleted: this is how it was last seen";

/** Said of what is open though its list does not show it any more; the filter as typed. */
export function lostWords(filter: string): string {
  return `No longer listed here${filter === "" ? "" : `: filter ${filter}`}`;
}

/** What the details beside a list show. */
export interface OpenedRow<Row> {
  readonly row: Row | undefined;
  /** It is open, and no longer among the rows of the list: what is known of it may be old. */
  readonly isLost: boolean;
}

/**
 * The row that details are shown of: the selected one while the list has the focus. Once the details
 * have it, it stays the one that they were opened for, wherever that moves in the list, and also when
 * it leaves it: whoever acts on what is open must not find the next row in its place.
 */
export function useOpenedRow<Row>(
  name: string,
  list: LiveList<Row>,
  isOpen: boolean,
): OpenedRow<Row> {
  const [held, setHeld] = useRemembered<Row | undefined>(`open ${name}`, undefined);
  const { selected, keyOf, select } = list;
  const key = isOpen && held !== undefined ? keyOf(held) : undefined;
  const place = key === undefined ? -1 : list.indexOf(key);
  const row = key === undefined ? selected : (list.rowAt(place) ?? held);
  const kept = isOpen ? row : undefined;
  useLayoutEffect(() => {
    if (kept !== held) setHeld(kept);
  }, [kept, held, setHeld]);
  // The list follows the row as well, though nobody has moved in it yet.
  useLayoutEffect(() => {
    if (key !== undefined) select(key);
  }, [key, select]);
  const isKnown = list.answeredAtMs !== undefined && !list.asking;
  return { row, isLost: key !== undefined && place === -1 && isKnown };
}

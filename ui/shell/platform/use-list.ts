import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Client } from "#client/index.ts";
import { listStart, settle, type ListCursor } from "../../kit/lists/list-cursor.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { movesThrough } from "../../kit/lists/list-moves.ts";
import type { ListView, Page, PageRequest } from "../../kit/answers/paged-list.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useQuestionKey } from "./use-answer.ts";
import { usePlatform } from "./use-platform.tsx";

export interface ListOptions<Row> {
  readonly keyOf: (row: Row) => string;
  /** Visible rows. */
  readonly height: number;
  /** Asked again this often; may depend on what it holds. */
  readonly refreshMs?: number | ((view: ListView<Row>) => number) | undefined;
  readonly enabled?: boolean | undefined;
}

interface Place {
  readonly cursor: ListCursor;
  /** The selected row, which is found again when rows come and go above it. */
  readonly id: string | undefined;
}

const start: Place = { cursor: listStart, id: undefined };

/** A list of the platform with a selected row, windowed over any number of rows. */
export function useList<Row>(
  parts: readonly (string | number | undefined)[],
  fetchPage: (client: Client, request: PageRequest) => Promise<Page<Row>>,
  options: ListOptions<Row>,
): LiveList<Row> {
  const { client, lists, pulse, failure } = usePlatform();
  const { keyOf, height, refreshMs, enabled = true } = options;
  const key = useQuestionKey(parts);
  const ready = client !== undefined && enabled;
  const list = useMemo(() => lists.open<Row>(key), [lists, key]);
  useEffect(() => {
    if (client !== undefined) list.readFrom((request) => fetchPage(client, request));
  });
  const view = useSyncExternalStore(list.subscribe, list.view);
  const [place, setPlace] = useRemembered<Place>(`list ${key}`, start);

  const here = place.id === undefined ? undefined : view.rowAt(place.cursor.index);
  const moved =
    place.id !== undefined && (here === undefined || keyOf(here) !== place.id)
      ? list.find((row) => keyOf(row) === place.id)
      : -1;
  const shift = moved === -1 ? 0 : moved - place.cursor.index;
  const cursor = settle(
    { index: place.cursor.index + shift, top: Math.max(0, place.cursor.top + shift) },
    view.count,
    height,
  );
  const selected = view.rowAt(cursor.index);

  useEffect(() => {
    if (ready) list.setVisible(cursor.top, cursor.top + height);
  }, [list, ready, cursor.top, height, view]);
  useEffect(() => {
    if (pulse > 0) list.refresh();
  }, [list, pulse]);
  useEffect(() => {
    if (ready) list.revisit();
  }, [list, ready]);
  const everyMs = typeof refreshMs === "function" ? refreshMs(view) : refreshMs;
  useEffect(() => {
    if (everyMs === undefined || !ready) return undefined;
    const timer = setInterval(() => list.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [list, ready, everyMs]);

  const move = (change: (now: ListCursor) => ListCursor) =>
    setPlace(() => {
      const next = change(cursor);
      const row = list.view().rowAt(next.index);
      return { cursor: next, id: row === undefined ? undefined : keyOf(row) };
    });
  const moves = movesThrough(move, view.count, height);
  const refresh = useCallback(() => list.refresh(), [list]);
  const select = useCallback((id: string) => setPlace((now) => ({ ...now, id })), [setPlace]);
  return {
    ...view,
    failure: view.failure ?? failure,
    asking: view.asking || (!ready && failure === undefined),
    cursor,
    selected,
    keyOf,
    moves,
    refresh,
    indexOf: (id) => list.find((row) => keyOf(row) === id),
    select,
  };
}

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Client } from "#client/index.ts";
import { listStart, settle, movesThrough, type ListCursor } from "../../kit/lists/list-cursor.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import type { ListView, Page, PageRequest } from "../../kit/answers/paged-list.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useQuestionKey } from "./use-answer.ts";
import { usePlatform } from "./use-platform.tsx";

export interface ListOptions<Row> {
  readonly keyOf: (row: Row) => string;
  readonly height: number;
  /** Period of the refreshes, possibly depending on the loaded rows. */
  readonly refreshMs?: number | ((view: ListView<Row>) => number) | undefined;
  readonly enabled?: boolean | undefined;
}

interface Position {
  readonly cursor: ListCursor;
  /** Key of the selected row, which the cursor follows when rows appear or vanish above it. */
  readonly id: string | undefined;
}

const start: Position = { cursor: listStart, id: undefined };

/** A paged list of the platform with a selected row, of which only the visible part is loaded. */
export function useList<Row>(
  parts: readonly (string | number | undefined)[],
  fetchPage: (client: Client, request: PageRequest, tenantId?: string) => Promise<Page<Row>>,
  options: ListOptions<Row>,
): LiveList<Row> {
  const { client, tenantId, lists, refreshCount, failure } = usePlatform();
  const { keyOf, height, refreshMs, enabled = true } = options;
  const key = useQuestionKey(parts);
  const ready = client !== undefined && tenantId !== undefined && enabled;
  const list = useMemo(() => lists.open<Row>(key), [lists, key]);
  useEffect(() => {
    if (client !== undefined) list.readFrom((request) => fetchPage(client, request, tenantId));
  });
  const view = useSyncExternalStore(list.subscribe, list.view);
  const [position, setPosition] = useRemembered<Position>(`list ${key}`, start);
  const { id } = position;
  const { index, top } = position.cursor;
  const there = view.rowAt(index);
  const hasMoved = id !== undefined && (there === undefined || keyOf(there) !== id);
  const movedTo = hasMoved ? list.find((row) => keyOf(row) === id) : -1;
  const shift = movedTo === -1 ? 0 : movedTo - index;
  const shifted = { index: index + shift, top: Math.max(0, top + shift) };
  const cursor = settle(shifted, view.count, height);
  const selected = view.rowAt(cursor.index);

  useEffect(() => {
    if (ready) list.setVisible(cursor.top, cursor.top + height);
  }, [list, ready, cursor.top, height, view]);
  useEffect(() => {
    if (refreshCount > 0) list.refresh();
  }, [list, refreshCount]);
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
    setPosition(() => {
      const next = change(cursor);
      const row = list.view().rowAt(next.index);
      return { cursor: next, id: row === undefined ? undefined : keyOf(row) };
    });
  const moves = movesThrough(move, view.count, height);
  const refresh = useCallback(() => list.refresh(), [list]);
  const select = useCallback(
    (rowId: string) => setPosition((now) => ({ ...now, id: rowId })),
    [setPosition],
  );
  return {
    ...view,
    failure: view.failure ?? failure,
    asking: view.asking || (!ready && failure === undefined),
    cursor,
    selected,
    keyOf,
    moves,
    refresh,
    indexOf: (rowId) => list.find((row) => keyOf(row) === rowId),
    select,
  };
}

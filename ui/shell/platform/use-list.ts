import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Client } from "#client/index.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { positionStart, useRowCursor, type RowPosition } from "../../kit/lists/use-row-cursor.ts";
import type { Page, PageRequest } from "../../kit/answers/page-request.ts";
import type { ListView } from "../../kit/answers/paged-list.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useQuestionKey } from "./use-answer.ts";
import { shownPeriodMs } from "./freshness.ts";
import { usePaceMs, useShownAnswer } from "./use-freshness.ts";
import { usePlatform } from "./use-platform.tsx";

export interface ListOptions<Row> {
  readonly keyOf: (row: Row) => string;
  readonly height: number;
  /** A period of the refreshes below 5 s while the user looks, depending on the loaded rows. */
  readonly refreshMs?: ((view: ListView<Row>) => number | undefined) | undefined;
  readonly enabled?: boolean | undefined;
}

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
  const [position, setPosition] = useRemembered<RowPosition>(`list ${key}`, positionStart);
  const { cursor, moves, select } = useRowCursor(position, setPosition, {
    count: view.count,
    height,
    keyAt: (index) => {
      const row = view.rowAt(index);
      return row === undefined ? undefined : keyOf(row);
    },
    indexOf: (id) => list.find((row) => keyOf(row) === id),
    isSought: view.sought !== undefined,
    loaded: list.loaded,
  });
  // No key acts on another row while the selected one is looked for.
  const selected = view.sought ?? view.rowAt(cursor.index);

  useEffect(() => {
    const { id } = position;
    if (id !== undefined) list.follow((row) => keyOf(row) === id);
  }, [list, position, keyOf]);
  useEffect(() => {
    if (ready) list.setVisible(cursor.top, cursor.top + height);
  }, [list, ready, cursor.top, height, view]);
  useEffect(() => {
    if (refreshCount > 0) list.refresh();
  }, [list, refreshCount]);
  const paceMs = usePaceMs();
  useShownAnswer(ready ? list.answeredAtMs : undefined);
  useEffect(() => {
    if (ready) list.revisit();
  }, [list, ready, paceMs]);
  const everyMs = shownPeriodMs(paceMs, refreshMs?.(view));
  useEffect(() => {
    if (!ready) return undefined;
    const timer = setInterval(() => list.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [list, ready, everyMs]);

  const refresh = useCallback(() => list.refresh(), [list]);
  const reveal = useCallback(
    (id: string, indexes: Promise<readonly number[]> = Promise.resolve([])) => {
      list.refresh();
      void list.lookAt(indexes);
      select(id);
    },
    [list, select],
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
    reveal,
  };
}

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Client } from "#client/index.ts";
import type { Page, PageRequest } from "../../kit/answers/page-request.ts";
import type { ListView, PagedList } from "../../kit/answers/paged-list.ts";
import {
  positionStart,
  selectRow,
  useRowCursor,
  wholeRows,
  type RowPosition,
} from "../../kit/cursor/row-cursor.ts";
import { hubPart } from "../../kit/keys/use-keys.ts";
import { GhostRows } from "../../kit/lists/ghost-rows.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { usePart } from "../../kit/state/part.ts";
import { useRememberedCell } from "../../kit/state/use-remembered.ts";
import { useQuestionKey, type LiveAnswer, type QuestionParts } from "./use-answer.ts";
import { shownPeriodMs } from "./freshness.ts";
import { followedRefreshMs, useChanges } from "./feed/use-changes.ts";
import { usePaceMs, useShownAnswer } from "./use-freshness.ts";
import { usePlatform, usePlatformLink } from "./use-platform.ts";

export interface ListOptions<Row> {
  /** Must be the same function in each frame. */
  readonly keyOf: (row: Row) => string;
  readonly height: number;
  /** A period of the refreshes below 5 s while the user looks, depending on the loaded rows. */
  readonly refreshMs?: ((view: ListView<Row>) => number | undefined) | undefined;
  readonly enabled?: boolean | undefined;
}

/** Refreshes a shown list with the screen and in its period; returns a function that does now. */
function useRefreshes<Row>(
  list: PagedList<Row>,
  ready: boolean,
  parts: QuestionParts,
  ownMs: number | undefined,
): () => void {
  const { refreshes } = usePlatformLink();
  const refresh = useCallback(() => list.refresh(), [list]);
  useEffect(() => refreshes.add(refresh), [refreshes, refresh]);
  const paceMs = usePaceMs();
  const { isFollowed, time, limitMs } = useChanges(parts, refresh, list.answeredAtMs, ready);
  useShownAnswer(ready ? time : undefined, limitMs);
  useEffect(() => {
    if (ready) list.revisit();
  }, [list, ready, paceMs]);
  const everyMs = shownPeriodMs(isFollowed ? followedRefreshMs : paceMs, ownMs);
  useEffect(() => {
    if (!ready) return undefined;
    const timer = setInterval(refresh, everyMs);
    return () => clearInterval(timer);
  }, [refresh, ready, everyMs]);
  return refresh;
}

/** A paged list of the platform with a selected row, of which only the visible part is loaded. */
export function useList<Row>(
  parts: QuestionParts,
  fetchPage: (client: Client, request: PageRequest, tenantId?: string) => Promise<Page<Row>>,
  options: ListOptions<Row>,
): LiveList<Row> {
  const { lists } = usePlatformLink();
  const { client, tenantId, failure } = usePlatform();
  const { keyOf, height, refreshMs, enabled = true } = options;
  const key = useQuestionKey(parts);
  const ready = client !== undefined && tenantId !== undefined && enabled;
  const list = useMemo(() => lists.open<Row>(key), [lists, key]);
  useEffect(() => {
    if (client === undefined) return;
    list.readFrom((request) => fetchPage(client, request, tenantId), keyOf);
  });
  const position = useRememberedCell<RowPosition>(`list ${key}`, positionStart);
  const hub = usePart(hubPart);
  const rows = useMemo(() => new GhostRows<Row>(list, position, hub), [list, position, hub]);
  const view = useSyncExternalStore(rows.subscribe, rows.view);
  const cursor = useRowCursor<Row>(rows.source, position, height);
  useEffect(() => {
    if (!ready) return undefined;
    const see = () => {
      const top = cursor.top.get();
      list.setVisible(top, top + height);
    };
    see();
    return cursor.top.subscribe(see);
  }, [list, ready, cursor, height, view]);
  const refresh = useRefreshes(list, ready, parts, refreshMs?.(view));
  const select = useCallback((id: string) => selectRow(position, id), [position]);
  const reveal = useCallback(
    (id: string, indexes: Promise<readonly number[]> = Promise.resolve([])) => {
      list.refresh();
      void list.lookAt(indexes);
      select(id);
    },
    [list, select],
  );
  return useMemo(
    () => ({
      ...view,
      failure: view.failure ?? failure,
      asking: view.asking || (!ready && failure === undefined),
      cursor,
      keyOf,
      refresh,
      indexOf: list.find,
      select,
      reveal,
    }),
    [view, failure, ready, cursor, keyOf, refresh, list, select, reveal],
  );
}

const noRows: readonly never[] = [];

/** An answer that is a whole list, as a list with a selected row. */
export function useAnsweredList<Row>(
  key: string,
  answer: LiveAnswer<readonly Row[]>,
  keyOf: (row: Row) => string,
  height: number,
): LiveList<Row> {
  const position = useRememberedCell<RowPosition>(`list ${key}`, positionStart);
  const { value: rows = noRows, failure, answeredAtMs, asking, refresh } = answer;
  const source = useMemo(() => wholeRows<Row>(rows, keyOf), [rows, keyOf]);
  const cursor = useRowCursor<Row>(source, position, height);
  const select = useCallback((id: string) => selectRow(position, id), [position]);
  return useMemo(
    () => ({
      count: rows.length,
      counted: true,
      rowAt: (index: number) => rows[index],
      sample: rows,
      failure,
      answeredAtMs,
      asking,
      cursor,
      keyOf,
      refresh,
      indexOf: source.indexOf,
      select,
      reveal: (id: string) => {
        refresh();
        select(id);
      },
    }),
    [rows, failure, answeredAtMs, asking, cursor, keyOf, refresh, source, select],
  );
}

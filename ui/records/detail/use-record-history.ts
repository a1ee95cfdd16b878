import { useEffect, useRef } from "react";
import type { HistoryItem, ObjectType, Resource } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useList } from "../../shell/platform/use-list.ts";
import { useSettled } from "../../kit/state/use-settled.ts";

/** While the user scrolls through the list, no history is asked. */
const settledMs = 120;
const keyOf = (item: HistoryItem) => String(item.version);

/** The writes to a record, newest first; refreshes when the record's version changes. */
export function useRecordHistory(
  type: ObjectType,
  record: Resource,
  height: number,
): LiveList<HistoryItem> {
  const isSettled = useSettled(record.id, settledMs) === record.id;
  const list = useList<HistoryItem>(
    ["resources.history", type.slug, record.id],
    (client, request, tenantId) =>
      client.useResources(type.slug, { tenantId }).history(record.id, request),
    { keyOf, height, enabled: isSettled },
  );
  const { refresh } = list;
  const seen = useRef({ id: record.id, version: record.version });
  useEffect(() => {
    const { id, version } = seen.current;
    seen.current = { id: record.id, version: record.version };
    if (id === record.id && version !== record.version) refresh();
  }, [refresh, record.id, record.version]);
  return list;
}

/** A record in an old version. It never changes, so it is asked once. */
export function useRecordVersion(
  type: ObjectType,
  id: string,
  version: number,
): LiveAnswer<Resource> {
  return useAnswer(["resources.get", type.slug, id, version], (client, signal, tenantId) =>
    client.useResources(type.slug, { tenantId }).get(id, { version, signal }),
  );
}

import { useEffect, useRef } from "react";
import type { HistoryItem, ObjectType, Resource } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../../shell/platform/use-answer.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useList } from "../../shell/platform/use-list.ts";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useSettled } from "../../kit/state/use-settled.ts";

/** Records that are only passed on the way through the list are not asked about. */
const settledMs = 120;
const keyOf = (item: HistoryItem) => String(item.version);

/** What was written to a record, newest first; asked anew whenever the record is another version. */
export function useRecordHistory(
  type: ObjectType,
  record: Resource,
  height: number,
): LiveList<HistoryItem> {
  const { tenantId } = usePlatform();
  const isSettled = useSettled(record.id, settledMs) === record.id;
  const list = useList<HistoryItem>(
    ["resources.history", type.slug, record.id],
    (client, { page, cursor, limit, count, signal }) =>
      client
        .useResources(type.slug, { tenantId })
        .history(record.id, { page, cursor, limit, count: count || undefined, signal }),
    { keyOf, height, enabled: tenantId !== undefined && isSettled },
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

/** A record as it stood in a version; that never changes, so it is asked once. */
export function useRecordVersion(
  type: ObjectType,
  id: string,
  version: number,
): LiveAnswer<Resource> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["resources.get", type.slug, id, version],
    (client, signal) => client.useResources(type.slug, { tenantId }).get(id, { version, signal }),
    { enabled: tenantId !== undefined },
  );
}

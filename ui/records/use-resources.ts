import type { Resource } from "#client/index.ts";
import type { SortMark } from "../kit/table/columns.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";

const refreshMs = 30_000;

export interface ResourceQuery {
  readonly objectType: string;
  readonly sort: SortMark;
  /** JSON of the filter. */
  readonly where: string | undefined;
}

/** `sort` as the list conventions want it. */
export function sortText(sort: SortMark): string {
  return `${sort.descending ? "-" : ""}${sort.id}`;
}

const keyOf = (record: Resource) => record.id;

/** One record by itself, as it is now; nothing is asked without an id. */
export function useResource(objectType: string, id: string | undefined): LiveAnswer<Resource> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["resources.get", objectType, id],
    (client, signal) => client.useResources(objectType, { tenantId }).get(id ?? "", { signal }),
    { refreshMs, enabled: tenantId !== undefined && id !== undefined },
  );
}

/** The records of an Object Type, in one order, under one filter. */
export function useResources(query: ResourceQuery, height: number): LiveList<Resource> {
  const { tenantId } = usePlatform();
  const sort = sortText(query.sort);
  const { where } = query;
  return useList(
    ["resources.list", query.objectType, sort, where],
    (client, { page, cursor, limit, count, signal }) =>
      client
        .useResources(query.objectType, { tenantId })
        .list({ page, cursor, limit, count: count || undefined, sort, where, signal }),
    { keyOf, height, refreshMs, enabled: tenantId !== undefined },
  );
}

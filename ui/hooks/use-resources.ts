import type { Resource } from "#client/index.ts";
import type { SortMark } from "../components/data-table.tsx";
import { useList, type LiveList } from "./use-list.ts";
import { usePlatform } from "./use-platform.tsx";

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

/** The records of an Object Type, in one order, under one filter. */
export function useResources(query: ResourceQuery, height: number): LiveList<Resource> {
  const { session } = usePlatform();
  const sort = sortText(query.sort);
  const { where } = query;
  const tenantId = session.workspace?.id;
  return useList(
    ["resources.list", query.objectType, sort, where],
    (client, { page, cursor, limit, count, signal }) =>
      client
        .useResources(query.objectType, { tenantId })
        .list({ page, cursor, limit, count: count || undefined, sort, where, signal }),
    { keyOf, height, refreshMs, enabled: tenantId !== undefined },
  );
}

import type { Resource } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import type { SortMark } from "../kit/table/columns.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";

const refreshMs = 30_000;

export interface ResourceQuery {
  readonly objectType: string;
  readonly sort: SortMark;
  readonly where: string | undefined;
}

export function sortText(sort: SortMark): string {
  return `${sort.descending ? "-" : ""}${sort.id}`;
}

const keyOf = (record: Resource) => record.id;

/** The records of an Object Type in the open workspace; `undefined` without a client. */
export function useRecordClient(objectType: string) {
  const { client, tenantId } = usePlatform();
  return client?.useResources(objectType, { tenantId });
}

/** One record, refreshed; asks nothing without an id. */
export function useResource(objectType: string, id: string | undefined): LiveAnswer<Resource> {
  return useAnswer(
    ["resources.get", objectType, id],
    (client, signal, tenantId) =>
      client.useResources(objectType, { tenantId }).get(id ?? "", { signal }),
    { refreshMs, enabled: id !== undefined },
  );
}

export function useResources(query: ResourceQuery, height: number): LiveList<Resource> {
  const { objectType, where } = query;
  const sort = sortText(query.sort);
  return useList(
    ["resources.list", objectType, sort, where],
    (client, request, tenantId) =>
      client.useResources(objectType, { tenantId }).list({ ...request, sort, where }),
    { keyOf, height, refreshMs },
  );
}

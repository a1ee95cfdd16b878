import type { Client, JsonObject, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import type { SortMark } from "../kit/table/columns.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";

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

/** One record, refreshed; no request is sent without an id. */
export function useResource(objectType: string, id: string | undefined): LiveAnswer<Resource> {
  return useAnswer(
    ["resources.get", objectType, id],
    (client, signal, tenantId) =>
      client.useResources(objectType, { tenantId }).get(id ?? "", { signal }),
    { shown: true, enabled: id !== undefined },
  );
}

/**
 * The indexes that a record may have in a list, from the number of records that sort before it:
 * those with the same value precede or follow it.
 */
export async function indexesOf(
  client: Client,
  record: Resource,
  { objectType, sort, where }: ResourceQuery,
  tenantId: string | undefined,
): Promise<readonly number[]> {
  const value =
    sort.id in record
      ? Object.entries(record).find(([name]) => name === sort.id)?.[1]
      : ownMember(record.data, sort.id);
  if (typeof value !== "string" && typeof value !== "number") return [];
  const records = client.useResources(objectType, { tenantId });
  const countOf = async (operator: string) => {
    const before = { [sort.id]: { [operator]: value } };
    // A record without a value is the first of an ascending list.
    const sorted = sort.descending ? before : { $or: [before, { [sort.id]: null }] };
    const filter =
      where === undefined ? sorted : { $and: [JSON.parse(where) as JsonObject, sorted] };
    return (await records.list({ where: filter, limit: 1, count: true })).total;
  };
  const operators = sort.descending ? ["$gt", "$gte"] : ["$lt", "$lte"];
  const [before, until] = await Promise.all(operators.map(countOf));
  return [before, until === undefined ? undefined : until - 1].filter(
    (index) => index !== undefined,
  );
}

export function useResources(query: ResourceQuery, height: number): LiveList<Resource> {
  const { objectType, where } = query;
  const sort = sortText(query.sort);
  return useList(
    ["resources.list", objectType, sort, where],
    (client, request, tenantId) =>
      client.useResources(objectType, { tenantId }).list({ ...request, sort, where }),
    { keyOf, height },
  );
}

import type { Client } from "#client/surface.ts";
import { valueText } from "../../kit/output/rows.ts";
import { chunkItems } from "../batch/items.ts";

/** A record whose key no row of the file has. */
export interface MissingRecord {
  readonly id: string;
  readonly version: number;
}

/** The records without a row that existed before the import began. */
export async function missingRecords(
  client: Client,
  {
    type,
    key,
    keys,
    before,
    signal,
  }: {
    readonly type: string;
    readonly key: string;
    readonly keys: ReadonlyMap<string, number>;
    readonly before: string;
    readonly signal: AbortSignal;
  },
): Promise<readonly MissingRecord[]> {
  const missing: MissingRecord[] = [];
  const pages = client.useResources(type).pages({
    fields: [key],
    sort: "id",
    pageSize: chunkItems,
    readAhead: true,
    signal,
  });
  for await (const { items } of pages) {
    for (const { id, version, created_at: createdAt, data } of items) {
      const isOld = createdAt !== undefined && createdAt < before;
      if (isOld && !keys.has(valueText(data[key]))) missing.push({ id, version });
    }
  }
  return missing;
}

/** Deletes records in the version that was read; returns how many were deleted. */
export async function deleteMissing(
  client: Client,
  type: string,
  missing: readonly MissingRecord[],
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (let at = 0; at < missing.length; at += chunkItems) {
    const items = missing
      .slice(at, at + chunkItems)
      .map(({ id, version }) => ({ op: "delete", id, version }) as const);
    deleted += (await client.useResources(type).batch(items, { signal })).succeeded;
  }
  return deleted;
}

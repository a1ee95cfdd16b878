import type { Client } from "#client/surface.ts";
import { valueText } from "../../kit/output/rows.ts";
import { chunkItems } from "../batch/items.ts";

const heldReasons = 1_000;

/** A record whose key no row of the file has. */
export interface MissingRecord {
  readonly id: string;
  readonly version: number;
  /** The value of the key; absent in a record without one. */
  readonly key?: unknown;
}

/** A record that stays, because the platform refused its deletion. */
interface KeptRecord {
  readonly key: string;
  readonly reason: string;
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
      // Other platforms may leave the time out, or write it with another offset.
      const isOld = createdAt === undefined || Date.parse(createdAt) < Date.parse(before);
      const value = data[key];
      if (isOld && !keys.has(valueText(value))) missing.push({ id, version, key: value });
    }
  }
  return missing;
}

/**
 * Deletes records in the version that was read; returns how many were deleted, and the first 1,000
 * of the others with the reason.
 */
export async function deleteMissing(
  client: Client,
  type: string,
  missing: readonly MissingRecord[],
  signal: AbortSignal,
): Promise<{ readonly deleted: number; readonly kept: readonly KeptRecord[] }> {
  let deleted = 0;
  const kept: KeptRecord[] = [];
  for (let at = 0; at < missing.length; at += chunkItems) {
    const chunk = missing.slice(at, at + chunkItems);
    const items = chunk.map(({ id, version }) => ({ op: "delete", id, version }) as const);
    const { results } = await client.useResources(type).batch(items, { signal });
    for (const { index, status, error } of results) {
      if (status < 300) deleted += 1;
      else if (kept.length < heldReasons) {
        const reason = error?.detail ?? error?.title ?? `was refused with ${status}`;
        kept.push({ key: valueText(chunk[index]?.key), reason });
      }
    }
  }
  return { deleted, kept };
}

import { catalogError } from "#contract/errors.ts";
import type { Client } from "#client/surface.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { sameJson } from "#lib/json/same.ts";

/** A record that a workflow needs, and the properties that identify it (spec 2.9). */
export interface WantedRecord {
  readonly type: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly data: JsonObject;
  /** Values for a new record; a stored record keeps its own. */
  readonly initial?: JsonObject;
}

export interface WrittenRecord {
  readonly type: string;
  readonly id: string;
  readonly action: "created" | "updated" | "unchanged";
}

const maximumRecords = 10_000;

/** The record with this identity, if there is one. Throws E203 if the type has too many. */
export async function storedRecord(
  client: Client,
  { type, identity }: Pick<WantedRecord, "type" | "identity">,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  let count = 0;
  for await (const record of client.useResources(type).all({ signal })) {
    const isSame = Object.entries(identity).every(([name, value]) => record.data[name] === value);
    if (isSame) return record;
    count += 1;
    if (count >= maximumRecords) {
      const details = `${type} has more than ${maximumRecords} records`;
      throw catalogError("E203", { details });
    }
  }
  return undefined;
}

/** The stored data with the wanted ones; objects such as `config` are merged. */
function merged(stored: JsonObject, wanted: JsonObject): JsonObject {
  const next: JsonObject = { ...stored };
  for (const [name, value] of Object.entries(wanted)) {
    const before = stored[name];
    next[name] = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
  }
  return next;
}

/** Creates the record or changes the stored one; writes nothing when it is as wanted. */
export async function putRecord(
  client: Client,
  wanted: WantedRecord,
  signal: AbortSignal,
): Promise<WrittenRecord> {
  const { type, identity, data, initial = {} } = wanted;
  const records = client.useResources(type);
  const stored = await storedRecord(client, wanted, signal);
  if (stored === undefined) {
    const { id } = await records.create({ ...initial, ...identity, ...data }, { signal });
    return { type, id, action: "created" };
  }
  const next = merged(stored.data, data);
  const { id, version } = stored;
  if (sameJson(next, stored.data)) return { type, id, action: "unchanged" };
  await client.resources.update({
    params: { objectType: type, id },
    body: { data: next, version },
    signal,
  });
  return { type, id, action: "updated" };
}

import type { Client } from "#client/surface.ts";
import type { BatchOperation } from "#contract/resources/batch.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import { valueText } from "../../kit/output/rows.ts";
import type { SyncedProperties, SyncedReference } from "./properties.ts";

/** Records that are compared together; their keys are in one query. */
const comparedAtOnce = 100;

export interface SyncSides {
  readonly from: Client;
  readonly to: Client;
  readonly type: string;
  readonly key: string;
  readonly where: JsonObject | undefined;
  readonly properties: SyncedProperties;
  readonly signal: AbortSignal;
}

/** The outcome of the comparison of one record of the source. */
export type ComparedRecord =
  | { readonly key: string; readonly action: "unchanged" }
  | { readonly key: string; readonly action: "refused"; readonly reason: string }
  | {
      readonly key: string;
      readonly action: "create" | "update";
      readonly names: readonly string[];
      readonly operation: BatchOperation;
    };

/** Compares all records of the source with those of the same key in the target, page by page. */
export async function* comparedRecords(
  sides: SyncSides,
): AsyncGenerator<readonly ComparedRecord[], void, undefined> {
  const { from, type, where, properties, signal } = sides;
  const pages = from.useResources(type).pages({
    fields: [...properties.copied],
    sort: "id",
    where,
    pageSize: comparedAtOnce,
    readAhead: true,
    signal,
  });
  for await (const { items } of pages) yield await comparedPage(sides, items);
}

async function comparedPage(
  sides: SyncSides,
  items: readonly Resource[],
): Promise<readonly ComparedRecord[]> {
  const { to, type, key, properties, signal } = sides;
  const keys = items.map(({ data }) => ownMember(data, key)).filter(isKey);
  const there = await byKey(to, type, key, { keys, fields: properties.copied, signal });
  const maps = new Map<string, ReadonlyMap<string, string>>();
  for (const reference of properties.references) {
    maps.set(reference.property, await targetIds(sides, reference, items));
  }
  return items.map(({ data }): ComparedRecord => {
    const value = ownMember(data, key);
    if (!isKey(value)) return { key: "", action: "refused", reason: `has no value of ${key}` };
    const text = valueText(value);
    const present = there.get(text);
    const changed: JsonObject = {};
    for (const name of properties.copied) {
      const own = ownMember(data, name) ?? null;
      const id = own === null ? null : maps.get(name)?.get(valueText(own));
      if (maps.has(name) && id === undefined) {
        const reason = `${name} refers to a record that the target does not have`;
        return { key: text, action: "refused", reason };
      }
      const wanted = maps.has(name) ? id : own;
      const before = present === undefined ? null : (ownMember(present.data, name) ?? null);
      if (!sameJson(wanted, before)) changed[name] = wanted;
    }
    const names = Object.keys(changed);
    if (present !== undefined && names.length === 0) return { key: text, action: "unchanged" };
    const operation = { op: "upsert", property: key, value, data: changed } as const;
    return { key: text, action: present === undefined ? "create" : "update", names, operation };
  });
}

/** The ids of referenced records in the target, by their ids in the source. */
async function targetIds(
  { from, to, signal }: SyncSides,
  { property, type, key }: SyncedReference,
  items: readonly Resource[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.map(({ data }) => ownMember(data, property)).filter(isKey))];
  if (ids.length === 0) return new Map();
  const sources = await records(from, type, { where: { id: { $in: ids } }, fields: [key], signal });
  const keys = sources.map(({ data }) => ownMember(data, key)).filter(isKey);
  const there = await byKey(to, type, key, { keys, fields: [key], signal });
  return new Map(
    sources.flatMap(({ id, data }): [string, string][] => {
      const target = there.get(valueText(ownMember(data, key)));
      return target === undefined ? [] : [[id, target.id]];
    }),
  );
}

async function byKey(
  client: Client,
  type: string,
  key: string,
  asked: {
    readonly keys: readonly (string | number | boolean)[];
    readonly fields: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<string, Resource>> {
  const { keys, fields, signal } = asked;
  if (keys.length === 0) return new Map();
  const where = { [key]: { $in: [...keys] } };
  const found = await records(client, type, { where, fields, signal });
  return new Map(found.map((record) => [valueText(ownMember(record.data, key)), record]));
}

async function records(
  client: Client,
  type: string,
  asked: {
    readonly where: JsonObject;
    readonly fields: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Resource[]> {
  const { where, fields, signal } = asked;
  const found: Resource[] = [];
  const options = { where, fields: [...fields], pageSize: comparedAtOnce, signal };
  for await (const { items } of client.useResources(type).pages(options)) found.push(...items);
  return found;
}

function isKey(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value !== "") ||
    typeof value === "number" ||
    typeof value === "boolean"
  );
}

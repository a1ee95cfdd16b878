import type { BatchOperation } from "#contract/resources/batch.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { mergePatchTo } from "#lib/json/merge-patch.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import { valueText } from "../../kit/output/rows.ts";
import { confirmedEmpty, emptiedName, type EmptiedValue } from "./emptied.ts";
import { RecentKeys } from "./recent-keys.ts";
import type { SyncedReference } from "./properties.ts";
import { comparedAtOnce, isKey, recordsByKey, recordsOf, type SyncSides } from "./sides.ts";

interface Refused {
  readonly key: string;
  readonly action: "refused";
  readonly reason: string;
}

/** A record that the target gets, as the operation of a batch. */
export type ChangedRecord = {
  readonly key: string;
  readonly names: readonly string[];
  readonly operation: Extract<BatchOperation, { readonly op: "upsert" }>;
} & (
  | { readonly action: "create" }
  /** The record of the target, in the version that was compared. */
  | { readonly action: "update"; readonly id: string; readonly version: number }
);

/** The outcome of the comparison of one record of the source. */
export type ComparedRecord =
  | { readonly key: string; readonly action: "unchanged" }
  | Refused
  | ChangedRecord;

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
  const passed = new RecentKeys();
  // Pages of a list that grows may repeat a record.
  for await (const { items } of pages) {
    yield await comparedPage(
      sides,
      items.filter(({ id }) => passed.add(id)),
    );
  }
}

/** A record of the source that differs from the target's one, or that the target does not have. */
interface FoundChange {
  readonly key: string | number | boolean;
  readonly present: Resource | undefined;
  readonly changed: JsonObject;
}

async function comparedPage(
  sides: SyncSides,
  items: readonly Resource[],
): Promise<readonly ComparedRecord[]> {
  const { to, type, key, properties, signal } = sides;
  const keys = items.map(({ data }) => ownMember(data, key)).filter(isKey);
  const there = await recordsByKey(to, type, key, { keys, fields: properties.copied, signal });
  const maps = new Map<string, ReadonlyMap<string, string>>();
  for (const reference of properties.references) {
    maps.set(reference.property, await targetIds(sides, reference, items));
  }
  const emptied: EmptiedValue[] = [];
  const found = items.map(({ data }): FoundChange | Refused => {
    const value = ownMember(data, key);
    if (!isKey(value)) return { key: "", action: "refused", reason: `has no value of ${key}` };
    const present = there.get(valueText(value));
    const changed: JsonObject = {};
    for (const name of properties.copied) {
      const own = ownMember(data, name) ?? null;
      const id = own === null ? null : maps.get(name)?.get(valueText(own));
      if (maps.has(name) && id === undefined) {
        const reason = `${name} refers to a record that the target does not have`;
        return { key: valueText(value), action: "refused", reason };
      }
      const wanted = maps.has(name) ? id : own;
      const before = present === undefined ? null : (ownMember(present.data, name) ?? null);
      if (sameJson(wanted, before)) continue;
      changed[name] = mergePatchTo(wanted, before);
      if (!Object.hasOwn(data, name)) emptied.push({ property: name, key: value });
    }
    return { key: value, present, changed };
  });
  const confirmed = emptied.length === 0 ? new Set() : await confirmedEmpty(sides, emptied);
  for (const { property } of emptied.filter((each) => !confirmed.has(nameOf(each)))) {
    sides.hidden.set(property, (sides.hidden.get(property) ?? 0) + 1);
  }
  const hidden = new Set(emptied.map(nameOf).filter((name) => !confirmed.has(name)));
  return found.map((each) => ("action" in each ? each : operationOf(key, each, hidden)));
}

function nameOf({ property, key }: EmptiedValue): string {
  return emptiedName(property, key);
}

function operationOf(
  property: string,
  { key: value, present, changed }: FoundChange,
  hidden: ReadonlySet<string>,
): ComparedRecord {
  const shown = Object.entries(changed).filter(([name]) => !hidden.has(emptiedName(name, value)));
  const names = shown.map(([name]) => name);
  const key = valueText(value);
  if (present !== undefined && names.length === 0) return { key, action: "unchanged" };
  const operation = { op: "upsert", property, value, data: Object.fromEntries(shown) } as const;
  const own = { key, names, operation };
  return present === undefined
    ? { ...own, action: "create" }
    : { ...own, action: "update", id: present.id, version: present.version };
}

/** The ids of referenced records in the target, by their ids in the source. */
async function targetIds(
  { from, to, signal }: SyncSides,
  { property, type, key }: SyncedReference,
  items: readonly Resource[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.map(({ data }) => ownMember(data, property)).filter(isKey))];
  if (ids.length === 0) return new Map();
  const sources = await recordsOf(from, type, {
    where: { id: { $in: ids } },
    fields: [key],
    signal,
  });
  const keys = sources.map(({ data }) => ownMember(data, key)).filter(isKey);
  const there = await recordsByKey(to, type, key, { keys, fields: [key], signal });
  return new Map(
    sources.flatMap(({ id, data }): [string, string][] => {
      const target = there.get(valueText(ownMember(data, key)));
      return target === undefined ? [] : [[id, target.id]];
    }),
  );
}

import type { BatchOperation } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { faultAt } from "../../../kit/faults.ts";
import type { Work } from "../../../work/work.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { readableIn } from "../current-type.ts";
import { dataOf } from "../record.ts";
import { recordsWith, upsertData } from "./upsert-records.ts";
import type { ItemChecks } from "./write-unit.ts";

/** An item of a batch whose upsert has become the write that it needs. */
export type ResolvedItem =
  | {
      readonly op: "create";
      readonly data: JsonObject;
      /** The property by whose value an upsert found no record. */
      readonly upsertedBy?: string;
    }
  | {
      readonly op: "update" | "patch";
      readonly id: string;
      readonly data: JsonObject;
      readonly version?: number | undefined;
    }
  | Extract<BatchOperation, { readonly op: "delete" }>;

type Upsert = Extract<BatchOperation, { readonly op: "upsert" }>;

/** An item with its place in the request. */
export interface Placed<Item> {
  readonly index: number;
  readonly item: Item;
}

interface NamedUpsert {
  readonly index: number;
  readonly item: Upsert;
  readonly value: JsonObject[string];
  readonly data: JsonObject;
}

/** The items with their upserts looked up by one statement for each unique property. */
export async function resolvedItems(
  work: Work,
  type: CompiledType,
  items: readonly Placed<BatchOperation>[],
  { placeOf, checked }: Pick<ItemChecks, "placeOf" | "checked">,
): Promise<readonly Placed<ResolvedItem>[]> {
  const view = readableIn(work, type);
  const upserts: NamedUpsert[] = [];
  for (const { index, item } of items) {
    if (item.op !== "upsert") continue;
    checked.attempt(index, () => {
      const { property } = item;
      const { value, data } = upsertData(
        view,
        { ...item, value: String(item.value) },
        {
          fault: (part, detail) => {
            const path = part === "data" ? ["data", property] : [part];
            return faultAt("body", [...placeOf(index), ...path], detail);
          },
        },
      );
      upserts.push({ index, item, value, data });
    });
  }
  const found = await idsOf(work, type, upserts);
  const others = items.flatMap(({ index, item }): Placed<ResolvedItem>[] =>
    item.op === "upsert" ? [] : [{ index, item }],
  );
  const named = upserts.map((upsert) => {
    const { index } = upsert;
    return { index, item: resolved(upsert, found.get(index)) };
  });
  return [...others, ...named].toSorted((one, other) => one.index - other.index);
}

function resolved({ item, data }: NamedUpsert, id: string | undefined): ResolvedItem {
  if (id === undefined) return { op: "create", data, upsertedBy: item.property };
  return { op: item.replace === true ? "update" : "patch", id, data };
}

/** The ids of the records that upserts name, by the index of the item. */
async function idsOf(
  work: Work,
  type: CompiledType,
  upserts: readonly NamedUpsert[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Map<number, string>();
  for (const [property, some] of Map.groupBy(upserts, ({ item }) => item.property)) {
    const values = some.map(({ value }) => storedValue(type, property, value));
    const records = await recordsWith(work, type, property, values);
    const byValue = new Map(
      records.map((record) => [JSON.stringify(ownMember(dataOf(type, record), property)), record]),
    );
    for (const [at, { index }] of some.entries()) {
      const record = byValue.get(JSON.stringify(values[at]));
      if (record !== undefined) ids.set(index, record.id);
    }
  }
  return ids;
}

/** The value as a record stores it; a time is stored in UTC. */
function storedValue(
  type: CompiledType,
  property: string,
  value: JsonObject[string],
): JsonObject[string] {
  const { data } = type.check(
    { [property]: value },
    // A value that fails its pattern is refused by the check of its record.
    { isCreation: false, patterns: { left: 0 } },
  );
  return ownMember(data, property) ?? value;
}

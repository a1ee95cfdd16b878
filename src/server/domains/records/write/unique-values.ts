import { pointer, type Refusal } from "#contract/problems.ts";
import type { Writer } from "../../../database/database.ts";
import { takenKeys } from "../store/records.ts";
import type { CompiledType, ReadableType } from "../../object-types/service.ts";
import { duplicateAt } from "../record.ts";
import type { Outcomes } from "./outcomes.ts";
import type { CheckedItem } from "./write-unit.ts";

/** Refuses items with a unique value that another record has; returns the others. */
export async function refuseTaken<Item extends CheckedItem>(
  writer: Writer,
  { type, view }: { readonly type: CompiledType; readonly view: ReadableType },
  items: readonly Item[],
  outcomes: Outcomes,
): Promise<readonly Item[]> {
  let free = items;
  for (const [at, column] of type.columns.entries()) {
    if (column.slot.kind !== "unique" || free.length === 0) continue;
    const keys = free.flatMap((item) => item.keys[at] ?? []).map(String);
    const taken = await takenKeys(writer, type, column, keys);
    free = free.filter(({ index, base, keys: own, record }) => {
      const holder = taken.get(String(own[at]));
      if (holder === undefined || holder === record.id) return true;
      outcomes.refuse(index, duplicateOf(view, base, column.slot.property));
      return false;
    });
  }
  return free;
}

/** The refusal, without the name of a property that the caller may not read. */
function duplicateOf(
  { properties }: ReadableType,
  base: readonly (string | number)[],
  property: string,
): Refusal {
  if (Object.hasOwn(properties, property)) return duplicateAt(pointer(...base, property));
  return duplicateAt(pointer(...base), "has a value of another record where it must be unique");
}

import { pointer } from "#contract/problems.ts";
import type { Writer } from "../../../database/database.ts";
import { takenKeys } from "../store/records.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { duplicateAt } from "../record.ts";
import type { Outcomes } from "./outcomes.ts";
import type { CheckedItem } from "./write-unit.ts";

/** Refuses items with a unique value that another record has; returns the others. */
export async function refuseTaken<Item extends CheckedItem>(
  writer: Writer,
  type: CompiledType,
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
      outcomes.refuse(index, duplicateAt(pointer(...base, column.slot.property)));
      return false;
    });
  }
  return free;
}

import type { Writer } from "../../../database/database.ts";
import type { RecordWrite } from "../store/records.ts";
import { takenKeys } from "../store/write/write-records.ts";
import type { CompiledType } from "../../object-types/service.ts";

/**
 * For each index column of the type, which of these writes' unique values a record has, and which
 * record. Columns that need not be unique have none.
 */
export async function takenColumns(
  writer: Writer,
  type: CompiledType,
  writes: readonly Pick<RecordWrite, "keys">[],
): Promise<ReadonlyMap<string, string>[]> {
  const taken: ReadonlyMap<string, string>[] = [];
  for (const [at, column] of type.columns.entries()) {
    const keys =
      column.slot.kind === "unique"
        ? writes.flatMap((write) => {
            const key = write.keys[at];
            return typeof key === "string" ? [key] : [];
          })
        : [];
    taken.push(await takenKeys(writer, type, column, keys));
  }
  return taken;
}

import type { Reader, Writer } from "../database.ts";
import { byDialect, raw, statement } from "../database/statement.ts";
import { slotColumns, slotIndex } from "./slots.ts";

/** Indexes of the records that the database should have and has not. */
export async function missingIndexes(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ name: string }>(
    byDialect({
      sqlite: raw("select name from sqlite_master where type = 'index' and tbl_name = 'resources'"),
      postgresql: raw(`select indexname as name from pg_indexes
        where schemaname = current_schema() and tablename = 'resources'`),
    }),
  );
  const found = new Set(rows.map(({ name }) => name));
  return ["resources_by_id", ...slotColumns.map(slotIndex)].filter((name) => !found.has(name));
}

/** Makes an index of the records again; fails with `DuplicateError` where rows are not unique. */
export async function makeIndex(writer: Writer, name: string): Promise<void> {
  if (name === "resources_by_id") {
    const columns = byDialect({
      sqlite: raw("type_number, id"),
      postgresql: raw("workspace_id, type_number, id"),
    });
    await writer.run(
      statement`create unique index if not exists resources_by_id on resources (${columns})`,
    );
    return;
  }
  const slot = slotColumns.find((one) => slotIndex(one) === name);
  if (slot === undefined)
    throw new TypeError(`Cannot make the index "${name}": it is none of ours`);
  const column = name.slice("resources_".length);
  const [words, columns] =
    slot.kind === "unique"
      ? ["unique index", `workspace_id, type_number, ${column}`]
      : ["index", `type_number, ${column}, id`];
  await writer.run(
    raw(`create ${words} if not exists ${name} on resources (${columns})
      where ${column} is not null`),
  );
}

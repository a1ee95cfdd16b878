import type { Reader, Writer } from "../../../../database/database.ts";
import { byDialect, raw, statement } from "../../../../database/statement.ts";
import { slotColumns, slotIndex } from "../../../object-types/service.ts";

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

/** Creates a record index again; fails with `DuplicateError` where rows are not unique. */
export async function makeIndex(writer: Writer, name: string): Promise<void> {
  if (name === "resources_by_id") {
    const index = byDialect({
      // SQLite's indexes end in the record's number, which is the order of a type's records.
      sqlite: raw("index if not exists resources_by_id on resources (type_number)"),
      postgresql: raw(`unique index if not exists resources_by_id
        on resources (workspace_id, type_number, id)`),
    });
    await writer.run(statement`create ${index}`);
    return;
  }
  const slot = slotColumns.find((one) => slotIndex(one) === name);
  if (slot === undefined)
    throw new TypeError(`Cannot make the index "${name}": it is not an index of records`);
  const column = name.slice("resources_".length);
  const last = byDialect({ sqlite: raw(""), postgresql: raw(", id") });
  const index =
    slot.kind === "unique"
      ? raw(
          `unique index if not exists ${name} on resources (workspace_id, type_number, ${column})`,
        )
      : statement`${raw(`index if not exists ${name} on resources (type_number, ${column}`)}${last})`;
  await writer.run(statement`create ${index} where ${raw(column)} is not null`);
}

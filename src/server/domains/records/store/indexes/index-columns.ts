import type { Reader, Writer } from "../../../../database/database.ts";
import { isOneOf, unlessStopped } from "../../../../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { SlotKeys } from "../record-types.ts";
import { idOrder, isRecord } from "../record-numbers.ts";
import { dataOfRow, keyedRows, type RowRange } from "./keyed-rows.ts";
import {
  keysOf,
  orderIndex,
  slotColumn,
  slotColumns,
  slotIndex,
  type Slot,
  type SlotColumn,
} from "../../../../fields/slots.ts";
import { slotOrderKey } from "../text-order.ts";
import type { Collision, TypeKey } from "../../../object-types/service.ts";
import { nodeAt } from "../../where/compile-where.ts";

/** The id of the newest record; empty when there is none. */
export async function lastId(reader: Reader, type: TypeKey): Promise<string> {
  const row = await reader.first<{ id: string }>(statement`select id from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
    order by ${idOrder} desc limit 1`);
  return row?.id ?? "";
}

/** A row whose columns do not hold the keys of its data. */
export interface UnfilledRow {
  readonly id: string;
  readonly version: number;
  readonly keys: SlotKeys;
}

/** The next rows without their keys, and the last id that was read (undefined at the end). */
export async function unfilledRows(
  reader: Reader,
  type: TypeKey,
  columns: readonly SlotColumn[],
  range: RowRange,
): Promise<{ rows: UnfilledRow[]; lastId: string | undefined }> {
  const looked = await keyedRows(reader, type, columns, range);
  const rows = looked.flatMap((row) => {
    const keys = keysOf(columns, dataOfRow(row));
    const isFilled = keys.every((key, at) => key === row.keys[at]);
    return isFilled ? [] : [{ id: row.id, version: row.version, keys }];
  });
  return { rows, lastId: looked.at(-1)?.id };
}

/** Fills index columns. A record that was written since it was read keeps its newer keys. */
export async function fillColumns(
  writer: Writer,
  type: TypeKey,
  columns: readonly SlotColumn[],
  rows: readonly UnfilledRow[],
): Promise<void> {
  const names = columns.map(({ column }) => column);
  if (rows.length === 0 || names.length === 0) return;
  if (writer.dialect === "sqlite") {
    for (const { id, version, keys } of rows) {
      const sets = names.map((name, at) => statement`${raw(name)} = ${keys[at] ?? null}`);
      await writer.run(statement`update resources set ${join(sets)}
        where workspace_id = ${type.workspaceId} and type_number = ${type.number}
          and ${isRecord(id)} and version = ${version}`);
    }
    return;
  }
  const given = rows.map(({ id, version, keys }) => ({
    id,
    version,
    ...Object.fromEntries(names.map((name, at) => [name, keys[at] ?? null])),
  }));
  const declared = columns.map(({ column, slot }) =>
    raw(`${column} ${slot.kind === "number" ? "float8" : "text"}`),
  );
  // The range spares PostgreSQL a read of all records while its statistics do not know the type.
  await writer.run(statement`update resources
    set ${join(names.map((name) => raw(`${name} = given.${name}`)))}
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb)
      as given(id text, version bigint, ${join(declared)})
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and resources.id >= ${given[0]?.id ?? ""} and resources.id <= ${given.at(-1)?.id ?? ""}
      and resources.id = given.id and resources.version = given.version`);
}

/** True if a record has a list or an object in this property. */
export async function holdsNested(
  reader: Reader,
  type: TypeKey,
  property: string,
): Promise<boolean> {
  const node = nodeAt([property]);
  const row = await reader.first<{ one: unknown }>(statement`select 1 as one from resources
    where ${unlessStopped} and workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and (${node.is("array")} or ${node.is("object")}) limit 1`);
  return row !== undefined;
}

/** Empties an index column of up to `limit` rows of a type; returns how many had a key. */
export async function clearColumn(
  writer: Writer,
  type: TypeKey,
  slot: Slot,
  limit: number,
): Promise<number> {
  const column = raw(slotColumn(slot));
  const { changedRows } = await writer.run(statement`update resources set ${column} = null
    where workspace_id = ${type.workspaceId} and type_number = ${type.number} and ${idOrder} in (
      select ${idOrder} from resources where workspace_id = ${type.workspaceId}
        and type_number = ${type.number} and ${column} is not null limit ${limit})`);
  return changedRows;
}

/** Values of a property that several records have, most frequent first. */
export async function findCollisions(
  reader: Reader,
  type: TypeKey,
  property: string,
  limit: number,
): Promise<Collision[]> {
  const node = nodeAt([property]);
  // JSON keeps texts apart from numbers, and close numbers apart.
  const values = statement`select id, ${node.asJson()} as value from resources
    where ${unlessStopped} and workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and (${node.is("string")} or ${node.is("number")} or ${node.is("boolean")})`;
  const text = byDialect({ sqlite: raw("value"), postgresql: raw("value::text") });
  const repeated = await reader.all<{ value: string; count: number }>(statement`
    select ${text} as value, count(*) as count from (${values}) as held
    group by value having count(*) > 1 order by count(*) desc, min(id) limit ${limit}`);
  if (repeated.length === 0) return [];
  const holders = await reader.all<{ value: string; id: string }>(statement`
    select ${text} as value, id from (
      select value, id, row_number() over (partition by value order by id) as place
      from (${values}) as held where ${isAmong(repeated.map(({ value }) => value))}
    ) as placed where place <= ${shownIds} order by id`);
  return repeated.map(({ value, count }) => ({
    value: String(JSON.parse(value)),
    count: Number(count),
    ids: holders.filter((holder) => holder.value === value).map(({ id }) => id),
  }));
}

const shownIds = 5;

function isAmong(values: readonly string[]): Statement {
  return byDialect({
    sqlite: isOneOf(raw("value"), values),
    postgresql: statement`value in (select jsonb_array_elements(${`[${values.join()}]`}::text::jsonb))`,
  });
}

export async function missingIndexes(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ name: string }>(
    byDialect({
      sqlite: raw("select name from sqlite_master where type = 'index' and tbl_name = 'resources'"),
      postgresql: raw(`select indexname as name from pg_indexes
        where schemaname = current_schema() and tablename = 'resources'`),
    }),
  );
  const found = new Set(rows.map(({ name }) => name));
  const orders = slotColumns.filter(({ kind }) => kind === "text").map(orderIndex);
  const expected = ["resources_by_id", ...slotColumns.map(slotIndex), ...orders];
  return expected.filter((name) => !found.has(name));
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
  const ordered = slotColumns.find((one) => one.kind === "text" && orderIndex(one) === name);
  const slot = ordered ?? slotColumns.find((one) => slotIndex(one) === name);
  if (slot === undefined)
    throw new TypeError(`Cannot make the index "${name}": it is not an index of records`);
  const own = raw(name.slice("resources_".length));
  const column = ordered ? byDialect({ sqlite: own, postgresql: slotOrderKey(slot) }) : own;
  const last = byDialect({ sqlite: raw(""), postgresql: raw(", id") });
  const index =
    slot.kind === "unique"
      ? statement`unique index if not exists ${raw(name)}
          on resources (workspace_id, type_number, ${column})`
      : statement`index if not exists ${raw(name)}
          on resources (type_number, ${column}${last})`;
  await writer.run(statement`create ${index} where ${raw(slotColumn(slot))} is not null`);
}

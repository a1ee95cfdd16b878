import type { Reader, Writer } from "../../../../database/database.ts";
import { isOneOf, stillWanted } from "../../../../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { SlotKeys } from "../records.ts";
import { idOrder, isRecord } from "../record-numbers.ts";
import { keyedRows, wantedKeys, type RowRange } from "./keyed-rows.ts";
import {
  slotColumn,
  type Collision,
  type Slot,
  type SlotColumn,
  type TypeKey,
} from "../../../object-types/service.ts";
import { nodeAt } from "../../where/compile.ts";

/** The id of the newest record; empty when there is none. */
export async function lastId(reader: Reader, type: TypeKey): Promise<string> {
  const row = await reader.first<{ id: string }>(statement`select id from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
    order by ${idOrder} desc limit 1`);
  return row?.id ?? "";
}

/** Rows that lack keys, with what their data give for the columns. */
export interface UnfilledRow {
  readonly id: string;
  readonly version: number;
  readonly keys: SlotKeys;
}

/**
 * Of the next records those whose columns do not hold what their data give, and the last id that
 * was looked at: undefined when there are no more.
 */
export async function unfilledRows(
  reader: Reader,
  type: TypeKey,
  columns: readonly SlotColumn[],
  range: RowRange,
): Promise<{ rows: UnfilledRow[]; lastId: string | undefined }> {
  const looked = await keyedRows(reader, type, columns, range);
  const rows = looked.flatMap((row) => {
    const keys = wantedKeys(row, columns);
    const isFilled = keys.every((key, at) => key === row.keys[at]);
    return isFilled ? [] : [{ id: row.id, version: row.version, keys }];
  });
  return { rows, lastId: looked.at(-1)?.id };
}

/**
 * Fills index columns of rows in id order. A record that was written since it was read is left alone: whoever did that
 * wrote its keys as well.
 */
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
  // The range is what keeps PostgreSQL to these records: when it does not know the type yet, it takes
  // it for a single row, and would read all records of it for each of these batches.
  await writer.run(statement`update resources
    set ${join(names.map((name) => raw(`${name} = given.${name}`)))}
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb)
      as given(id text, version bigint, ${join(declared)})
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and resources.id >= ${given[0]?.id ?? ""} and resources.id <= ${given.at(-1)?.id ?? ""}
      and resources.id = given.id and resources.version = given.version`);
}

/** Whether a record holds a list or an object under this name. */
export async function holdsNested(
  reader: Reader,
  type: TypeKey,
  property: string,
): Promise<boolean> {
  const node = nodeAt([property]);
  const row = await reader.first<{ one: unknown }>(statement`select 1 as one from resources
    where ${stillWanted} and workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and (${node.is("array")} or ${node.is("object")}) limit 1`);
  return row !== undefined;
}

/** Empties an index column of a type, some rows at a time; the number of rows that had a value. */
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

/** Values of a property that more than one record has, most often first; at most `limit` of them. */
export async function findCollisions(
  reader: Reader,
  type: TypeKey,
  property: string,
  limit: number,
): Promise<Collision[]> {
  const node = nodeAt([property]);
  // As JSON, so that a text is not taken for a number, and no number for one that is nearly the same.
  const values = statement`select id, ${node.asJson()} as value from resources
    where ${stillWanted} and workspace_id = ${type.workspaceId} and type_number = ${type.number}
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

/** Whether `value` is one of these JSON texts. */
function isAmong(values: readonly string[]): Statement {
  return byDialect({
    sqlite: isOneOf(raw("value"), values),
    postgresql: statement`value in (select jsonb_array_elements(${`[${values.join()}]`}::text::jsonb))`,
  });
}

/** Marks this moment: later, {@link hasPassed} says whether every older transaction has ended. */
export async function takeFence(writer: Writer): Promise<string> {
  if (writer.dialect === "sqlite") return "";
  const row = await writer.first<{ fence: string }>(
    raw("select pg_current_xact_id()::xid::text as fence"),
  );
  return row?.fence ?? "";
}

/**
 * PostgreSQL: whether no session still looks at the database as it was before the fence, so that
 * nobody can write a record under the Object Type of then. SQLite has one writer: always.
 */
export async function hasPassed(reader: Reader, fence: string): Promise<boolean> {
  if (reader.dialect === "sqlite" || fence === "") return true;
  const row = await reader.first(statement`select 1 as found from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and pid <> pg_backend_pid() and backend_xmin is not null
      and age(backend_xmin) > age(${fence}::text::xid) limit 1`);
  return row === undefined;
}

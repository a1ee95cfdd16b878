import type { JsonObject } from "#contract/values.ts";
import type { Reader, Writer } from "../database.ts";
import { jsonText } from "../database/dialect.ts";
import { join, raw, statement, type Statement } from "../database/statement.ts";
import { keysOf, slotColumn, type Slot, type SlotColumn } from "./slots.ts";
import { nodeAt } from "./where/compile.ts";
import { asDouble } from "./where/test-node.ts";

interface TypeKey {
  readonly workspaceId: string;
  readonly number: number;
}

/** The id of the newest record; empty when there is none. */
export async function lastId(reader: Reader, type: TypeKey): Promise<string> {
  const row = await reader.first<{ id: string }>(statement`select id from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
    order by id desc limit 1`);
  return row?.id ?? "";
}

export interface FillRange {
  readonly afterId: string;
  /** The last record that may lack its keys. */
  readonly upToId: string;
  readonly limit: number;
}

/**
 * Fills index columns from the data of the next records in id order. Returns the last id, or
 * undefined when there are no more.
 */
export async function fillColumns(
  writer: Writer,
  type: TypeKey,
  columns: readonly SlotColumn[],
  { afterId, upToId, limit }: FillRange,
): Promise<string | undefined> {
  const rows = await writer.all<{ id: string; data: string }>(statement`select id,
    ${jsonText("data")} as data from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number} and id > ${afterId}
      and id <= ${upToId}
    order by id limit ${limit}`);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const values = rows.map(({ id, data }) => {
    const keys = keysOf(columns, JSON.parse(data) as JsonObject);
    return statement`(${join([statement`${id}`, ...keys.map((key, at) => typed(key, columns[at]))])})`;
  });
  // An unnamed VALUES list has the same column names on both engines.
  const sets = columns.map(({ column }, at) => raw(`${column} = given.column${at + 2}`));
  await writer.run(statement`update resources set ${join(sets)}
    from (values ${join(values)}) as given
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and resources.id = given.column1`);
  return last.id;
}

function typed(key: string | number | null, column: SlotColumn | undefined): Statement {
  return column?.slot.kind === "number" ? asDouble(Number(key)) : statement`cast(${key} as text)`;
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
    where workspace_id = ${type.workspaceId} and type_number = ${type.number} and id in (
      select id from resources where workspace_id = ${type.workspaceId}
        and type_number = ${type.number} and ${column} is not null limit ${limit})`);
  return changedRows;
}

/** Tells PostgreSQL's planner of new columns; SQLite is told by each query which index to use. */
export async function refreshStatistics(writer: Writer): Promise<void> {
  if (writer.dialect === "postgresql") await writer.run(raw("analyze resources"));
}

export interface Collision {
  readonly value: string;
  readonly count: number;
  /** The first records that have the value, at most five. */
  readonly ids: readonly string[];
}

/** Values of a property that more than one record has; at most `limit` of them. */
export async function findCollisions(
  reader: Reader,
  type: TypeKey,
  property: string,
  limit: number,
): Promise<Collision[]> {
  const node = nodeAt([property]);
  const value = statement`coalesce(${node.asText()}, cast(${node.asNumber()} as text),
    cast(${node.asFlag()} as text))`;
  const rows = await reader.all<{ value: string; count: number }>(statement`
    select ${value} as value, count(*) as count from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${value} is not null
    group by ${value} having count(*) > 1 order by count(*) desc, 1 limit ${limit}`);
  const collisions: Collision[] = [];
  for (const row of rows) {
    const ids = await reader.all<{ id: string }>(statement`select id from resources
      where workspace_id = ${type.workspaceId} and type_number = ${type.number}
        and ${value} = ${row.value} order by id limit 5`);
    collisions.push({ value: row.value, count: Number(row.count), ids: ids.map(({ id }) => id) });
  }
  return collisions;
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

import type { Writer } from "../../../../database/database.ts";
import { isOneOf } from "../../../../database/dialect.ts";
import { join, nothing, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { RecordType, TypeKey } from "../../../object-types/service.ts";
import { insertMade } from "../../../../work/change-batches.ts";
import { isNotDeleted } from "../../../../work/living.ts";
import type { SlotColumn } from "../../../../fields/slots.ts";
import { foldsOf } from "../text-order.ts";
import {
  entryColumns,
  entryRow,
  insertIntoEntries,
  ofSource,
  replacingEntries,
} from "../../../../search-index/entries.ts";
import { sourceOf } from "../search/entries.ts";
import type { StorableCreations } from "./record-events.ts";
import type {
  DeletionNote,
  RecordChange,
  RecordRemoval,
  RecordWrite,
  SlotKeys,
} from "../record-types.ts";

/*
 * The writes of `write-records.ts` on PostgreSQL: one statement, and so one round trip, takes all
 * rows as one JSON value and writes everything that belongs to them.
 */

export async function insertRows(
  writer: Writer,
  type: RecordType,
  writes: readonly RecordWrite[],
  storable: StorableCreations | undefined,
): Promise<ReadonlySet<string>> {
  const { workspaceId, number, columns } = type;
  // A type without unique values does not pay for the search of conflicts: its ids are new.
  const isUnique = columns.some(({ slot }) => slot.kind === "unique");
  // All rows are made, or none: their events are one text, which no row has to carry.
  const isWhole = !isUnique || writes.length === 1;
  const rows = writes.map(({ record, keys, entry }) => {
    const { id, created_at: at, created_by: actor, data } = record;
    const row = { id, at, actor, ...(entry && entryRow(number, entry)), ...keyRow(columns, keys) };
    return rowText(row, data, isWhole ? undefined : storable?.events.get(id)?.text);
  });
  const created = await writer.all<{ id: string }>(statement`with given as materialized (
      select * from jsonb_to_recordset(${`[${rows.join()}]`}::text::jsonb)
        as row(id text, at text, actor text, data jsonb, folds jsonb,
          ${isWhole ? nothing : raw("event jsonb,")} ${raw(entryColumns)}${listed(columns, declared)})
    ), made as (
      insert into resources (workspace_id, type_number, id, created_at, updated_at, created_by,
        updated_by, data, folds, version${listed(columns, ({ column }) => column)})
      select ${workspaceId}::text, ${number}::bigint, id, at, at, actor, actor, data, folds,
        1${listed(columns, ({ column }) => column)}
      from given where ${isCurrent(type)} ${isUnique ? raw("on conflict do nothing") : nothing}
      returning id, created_at, created_by
    ), noted as (
      insert into resource_history
        (workspace_id, resource_id, version, type_number, operation, at, actor)
      select ${workspaceId}::text, id, 1, ${number}::bigint, 'create', created_at, created_by
      from made
    ), counted as (
      insert into resource_counts (workspace_id, type_number, shard, records)
      select ${workspaceId}::text, ${number}::bigint, ${shard}, count(*) from made
      on conflict (workspace_id, type_number, shard)
        do update set records = resource_counts.records + excluded.records
    ), searched as (
      ${insertIntoEntries(sourceOf(type))}
      from (select id as place, length, checksum, terms from made join given using (id)
        where terms <> '') as entries
    )${storable === undefined ? nothing : statement`, fed as (${fed(type, storable, isWhole)})`}
    select id from made`);
  return new Set(created.map(({ id }) => id));
}

/** The row of the feed for the records that were made, in the order in which they were given. */
function fed(
  { workspaceId }: RecordType,
  { events, characters }: StorableCreations,
  isWhole: boolean,
): Statement {
  const made = isWhole
    ? statement`select ${arrayOf(events)}::text::jsonb where exists (select from made)`
    : raw(`select jsonb_agg(event order by id) from made join given using (id)
        having count(*) > 0`);
  return insertMade(workspaceId, made, characters);
}

function arrayOf(events: StorableCreations["events"]): string {
  return `[${Array.from(events.values(), ({ text }) => text).join()}]`;
}

export async function updateRows(
  writer: Writer,
  type: RecordType,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<string>> {
  const { workspaceId, number, columns } = type;
  const rows = changes.map((change) => {
    const { record, keys, entry, changes: patch, operation = "update", operationId } = change;
    const { id, version, updated_at: at, updated_by: actor, data } = record;
    const own = { ...(entry && entryRow(number, entry)), ...keyRow(columns, keys) };
    const write = { operation, operation_id: operationId, changes: patch };
    return rowText({ id, version, at, actor, ...write, ...own }, data);
  });
  const ids = changes.map(({ record }) => record.id);
  const updated = await writer.all<{ id: string }>(statement`with given as materialized (
      select * from jsonb_to_recordset(${`[${rows.join()}]`}::text::jsonb)
        as row(id text, version bigint, at text, actor text, operation text, operation_id text,
          data jsonb, folds jsonb, changes jsonb, ${raw(entryColumns)}${listed(columns, declared)})
    ), made as (
      update resources set version = given.version, data = given.data, folds = given.folds,
        updated_at = given.at,
        updated_by = given.actor${listed(columns, ({ column }) => `${column} = given.${column}`)}
      from given
      where resources.workspace_id = ${workspaceId} and resources.type_number = ${number}
        and ${isOneOf(raw("resources.id"), ids)}
        and resources.id = given.id and resources.version = given.version - 1
        and ${isCurrent(type)}
      returning resources.id
    ), noted as (
      insert into resource_history
        (workspace_id, resource_id, version, type_number, operation, at, actor, operation_id,
          changes)
      select ${workspaceId}::text, id, version, ${number}::bigint, operation, at, actor,
        operation_id, changes
      from made join given using (id)
    ), searched as (
      ${insertIntoEntries(sourceOf(type))}
      from (select id as place, length, checksum, terms from made join given using (id)
        where terms <> '') as entries
      ${replacingEntries}
    ), emptied as (
      delete from search_entries where ${ofSource(sourceOf(type))}
        and place = any (array(select id from made join given using (id) where terms = ''))
    )
    select id from made`);
  return new Set(updated.map(({ id }) => id));
}

export async function deleteRows(
  writer: Writer,
  type: TypeKey,
  removals: readonly RecordRemoval[],
  { at, actor, operationId }: DeletionNote,
): Promise<void> {
  const { workspaceId, number } = type;
  const ids = removals.map(({ id }) => id);
  const rows = JSON.stringify(
    removals.map(({ id, version, changes }) => ({ id, version, changes })),
  );
  await writer.run(statement`with removed as (
      delete from resources where workspace_id = ${workspaceId} and type_number = ${number}
        and ${isOneOf(raw("id"), ids)}
    ), emptied as (
      delete from search_entries where ${ofSource(sourceOf(type))} and ${isOneOf(raw("place"), ids)}
    ), noted as (
      insert into resource_history
        (workspace_id, resource_id, version, type_number, operation, at, actor, operation_id,
          changes)
      select ${workspaceId}::text, id, version, ${number}::bigint, 'delete', ${at}::text,
        ${actor}::text, ${operationId}::text, changes
      from jsonb_to_recordset(${rows}::text::jsonb)
        as given(id text, version bigint, changes jsonb)
    )
    insert into resource_counts (workspace_id, type_number, shard, records)
    values (${workspaceId}, ${number}, ${shard}, ${-removals.length})
    on conflict (workspace_id, type_number, shard)
      do update set records = resource_counts.records + excluded.records`);
}

/** Each connection counts in its own row, so that two writes never wait for each other. */
const shard = raw("pg_backend_pid() % 64");

function isCurrent({ workspaceId, number, revision }: RecordType): Statement {
  return statement`exists (select 1 from object_types where workspace_id = ${workspaceId}
    and number = ${number} and revision = ${revision} and ${isNotDeleted(workspaceId)})`;
}

/** One row as JSON; the data and the event are JSON text already. */
function rowText(row: object, data: string, event?: string): string {
  const folds = foldsOf(data, "postgresql");
  const last = folds === null ? "" : `,"folds":${folds}`;
  const reported = event === undefined ? "" : `,"event":${event}`;
  return `${JSON.stringify(row).slice(0, -1)}${last}${reported},"data":${data}}`;
}

function keyRow(columns: readonly SlotColumn[], keys: SlotKeys): object {
  return Object.fromEntries(columns.map(({ column }, at) => [column, keys[at] ?? null]));
}

/** The index columns at the end of a list; their names are the platform's own. */
function listed(columns: readonly SlotColumn[], text: (column: SlotColumn) => string): Statement {
  return columns.length === 0
    ? nothing
    : statement`, ${join(columns.map((one) => raw(text(one))))}`;
}

function declared({ column, slot }: SlotColumn): string {
  return `${column} ${slot.kind === "number" ? "float8" : "text"}`;
}

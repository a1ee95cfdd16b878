import type { Reader, Writer } from "../../../../database/database.ts";
import { isOneOf, jsonText, jsonValue } from "../../../../database/dialect.ts";
import { raw, statement } from "../../../../database/statement.ts";
import { countShard, insertedValues, updateRecord, type RecordType } from "../records.ts";
import type { RecordWrite, StoredRecord } from "../records.ts";
import { releaseDropped, releaseFilesOf } from "../record-files.ts";
import { insertRows } from "./postgresql-writes.ts";
import { updateRows } from "./update-rows.ts";
import type { PatchOperation } from "../patch.ts";
import { isOneOfRecords } from "../record-numbers.ts";
import { isCurrent } from "./rows-text.ts";
import { insertEntries, removeEntries, type EntryWrite } from "../search/entries.ts";
import type { SlotColumn } from "../../../object-types/service.ts";
import { insertAmongFor } from "./sqlite-writes.ts";

/**
 * Many records of one type in one unit. SQLite runs in this process, where a prepared statement a
 * row is quickest; PostgreSQL gets all rows as one JSON value in one round trip.
 */

type TypeKey = Pick<RecordType, "workspaceId" | "number">;

/** A record that replaces the version before it, with what changed. */
export interface RecordChange extends RecordWrite {
  readonly changes: readonly PatchOperation[];
  /** By which it was made, as the history calls it; `update` if absent. */
  readonly operation?: string | undefined;
}

/** Records by their ids; those that are not there are left out. */
export async function recordsByIds(
  reader: Reader,
  type: TypeKey,
  ids: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const rows = await reader.all<StoredRecord>(statement`select id, version,
    ${jsonText("data")} as data, created_at, updated_at, created_by, updated_by from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOfRecords(ids)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Makes records with their histories and their count; the ids of those that were made. What is left
 * out has a unique value that is taken, or all are, when the type has changed meanwhile.
 */
export async function insertRecords(
  writer: Writer,
  type: RecordType,
  writes: readonly RecordWrite[],
): Promise<ReadonlySet<string>> {
  const [first] = writes;
  if (first === undefined) return new Set();
  if (writer.dialect === "postgresql") return insertRows(writer, type, writes);
  // Once for all: SQLite has one writer, which this unit is.
  if ((await writer.first(statement`select 1 as one where ${isCurrent(type)}`)) === undefined) {
    return new Set();
  }
  const insert = insertAmongFor(type.columns);
  const made: string[] = [];
  const notes: string[][] = [];
  // In their order each is put behind all others, which leaves no page half full.
  for (const write of writes.toSorted(byId)) {
    const values = insertedValues(writer, type, write);
    const { changedRows } = await writer.run(statement(insert, ...values));
    if (changedRows === 0) continue;
    const { id, created_at, created_by } = write.record;
    made.push(id);
    notes.push([id, created_at, created_by]);
  }
  await insertEntries(writer, type, entriesOf(writes, new Set(made)));
  await writer.run(statement`insert into resource_history
    (resource_id, version, type_number, operation, at, actor, changes)
    select value ->> 0, 1, ${type.number}, 'create', value ->> 1, value ->> 2, null
    from json_each(${JSON.stringify(notes)})`);
  await addToCount(writer, type, made.length);
  return new Set(made);
}

/** Replaces data where the version before is still the current one; the ids of those. */
export async function updateRecords(
  writer: Writer,
  type: RecordType,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set();
  if (writer.dialect === "postgresql") {
    const updated = await updateRows(writer, type, changes);
    for (const { record, changes: patch } of changes) {
      await releaseDropped(writer, type.workspaceId, record.id, patch);
    }
    return updated;
  }
  const done = new Set<string>();
  for (const change of changes) {
    if (await updateRecord(writer, type, change)) done.add(change.record.id);
  }
  return done;
}

/** Removes records; gives what they were. */
export async function deleteRecords(
  writer: Writer,
  type: TypeKey,
  ids: readonly string[],
): Promise<Pick<StoredRecord, "id" | "version" | "data">[]> {
  if (ids.length === 0) return [];
  await removeEntries(writer, type, ids);
  return writer.all(statement`delete from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOfRecords(ids)}
    returning id, version, ${jsonText("data")} as data`);
}

export interface Removal {
  readonly id: string;
  /** The version that the removal is. */
  readonly version: number;
  readonly changes: readonly PatchOperation[];
}

/** As `noteRemoval`, for many: histories, files, counts; how many files there were. */
export async function noteRemovals(
  writer: Writer,
  type: TypeKey,
  removals: readonly Removal[],
  note: { readonly at: string; readonly actor: string },
): Promise<number> {
  if (removals.length === 0) return 0;
  if (writer.dialect === "postgresql") {
    await writer.run(statement`insert into resource_history
      (workspace_id, resource_id, version, type_number, operation, at, actor, changes)
      select ${type.workspaceId}::text, id, version, ${type.number}::bigint, 'delete',
        ${note.at}::text, ${note.actor}::text, changes
      from jsonb_to_recordset(${JSON.stringify(removals)}::text::jsonb)
        as item(id text, version bigint, changes jsonb)`);
  } else {
    for (const { id, version, changes } of removals) {
      await writer.run(statement`insert into resource_history
        (resource_id, version, type_number, operation, at, actor, changes)
        values (${id}, ${version}, ${type.number}, 'delete', ${note.at}, ${note.actor},
          ${jsonValue(changes)})`);
    }
  }
  await addToCount(writer, type, -removals.length);
  return releaseFilesOf(
    writer,
    type.workspaceId,
    removals.map(({ id }) => id),
  );
}

/** Which keys of a unique column are taken, and by which record. */
export async function takenKeys(
  reader: Reader,
  type: TypeKey,
  { column }: SlotColumn,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const name = raw(column);
  const rows = await reader.all<{ key: string; id: string }>(statement`select ${name} as key, id
    from resources where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOf(name, keys)} and ${name} is not null`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

async function addToCount(writer: Writer, type: TypeKey, records: number): Promise<void> {
  await writer.run(statement`insert into resource_counts
    (workspace_id, type_number, shard, records)
    values (${type.workspaceId}, ${type.number}, ${countShard}, ${records})
    on conflict (workspace_id, type_number, shard)
      do update set records = resource_counts.records + excluded.records`);
}

function byId({ record: one }: RecordWrite, { record: other }: RecordWrite): number {
  return one.id < other.id ? -1 : 1;
}

function entriesOf(writes: readonly RecordWrite[], written: ReadonlySet<string>): EntryWrite[] {
  return writes.flatMap(({ record: { id }, entry }) =>
    entry !== undefined && written.has(id) ? [{ id, entry }] : [],
  );
}

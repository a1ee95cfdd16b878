import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import type { Promisable } from "../../../kit/promisable.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { jsonText, jsonValue } from "../../../database/dialect.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";
import type { RecordChange } from "./write/write-records.ts";
import { releaseDropped, releaseFilesOf } from "./record-files.ts";
import { historyOf } from "./history.ts";
import { oneRecord, RecordLookups } from "./lookups.ts";
import type { PatchOperation } from "./patch.ts";
import { isOneOfRecords, isRecord } from "./record-numbers.ts";
import { insertEntries, replaceEntries, type StoredEntry } from "./search/entries.ts";
import { removeEntries } from "./search/entries.ts";
import type { RecordType } from "../../object-types/service.ts";
import { writeStringsFor } from "./write/write-statements.ts";

export type { RecordType };

/** A record as it stands in the database; `data` is JSON text. */
export interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly data: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by: string;
  readonly updated_by: string;
}

export type SlotKeys = readonly (string | number | null)[];

/** A write of one record, with what belongs to it. */
export interface RecordWrite {
  readonly record: StoredRecord;
  /** Index keys in the order of the type's columns. */
  readonly keys: SlotKeys;
  /** What of it is searched. Undefined for nothing, and in an update for what it was before. */
  readonly entry: StoredEntry | undefined;
}

/** After `select`, from `resources`. */
export const recordColumns: Statement = statement`resources.id, resources.version,
  ${jsonText("resources.data")} as data, resources.created_at, resources.updated_at,
  resources.created_by, resources.updated_by`;

/** One record by id: another type's or another workspace's is not there. */
export function recordById(
  reader: Reader,
  type: Pick<RecordType, "workspaceId" | "number">,
  id: string,
): Promisable<StoredRecord | undefined> {
  if (reader.dialect === "sqlite") {
    // As `isRecord` has it, in a text that is rendered once.
    return reader.first<StoredRecord>(statement`select id, version, json(data) as data, created_at,
      updated_at, created_by, updated_by from resources
      where record_number = ${uuidNumber(id)} and id = ${id} and workspace_id = ${type.workspaceId} and type_number = ${type.number}`);
  }
  // A unit sees what only it wrote.
  if ("run" in reader || reader.batchesReads !== true) return oneRecord(reader, type, id);
  let ofReader = lookups.get(reader);
  if (ofReader === undefined) lookups.set(reader, (ofReader = new RecordLookups(reader)));
  return ofReader.find(type, id);
}

const lookups = new WeakMap<Reader, RecordLookups>();

/** Makes a record, its history and its count. False when the type has changed meanwhile. */
export async function insertRecord(
  writer: Writer,
  type: RecordType,
  write: RecordWrite,
): Promise<boolean> {
  if (!(await insertOne(writer, type, write))) return false;
  if (write.entry !== undefined) {
    await insertEntries(writer, type, [{ id: write.record.id, entry: write.entry }]);
  }
  if (writer.dialect === "postgresql") return true;
  const { workspaceId, number } = type;
  const { id, created_at, created_by } = write.record;
  await writer.run(statement`insert into resource_history
    (resource_id, version, type_number, operation, at, actor, changes)
    values (${id}, 1, ${number}, 'create', ${created_at}, ${created_by}, null)`);
  await writer.run(statement`insert into resource_counts
    (workspace_id, type_number, shard, records) values (${workspaceId}, ${number}, 0, 1)
    on conflict (workspace_id, type_number, shard) do update set records = records + 1`);
  return true;
}

/** The row of a new record; on PostgreSQL its history and count as well. False as above. */
async function insertOne(writer: Writer, type: RecordType, write: RecordWrite): Promise<boolean> {
  const { insert } = writeStringsFor(writer.dialect, type.columns);
  const { workspaceId, number, revision } = type;
  const { changedRows } = await writer.run(
    statement(insert, ...insertedValues(writer, type, write), workspaceId, number, revision),
  );
  return changedRows > 0;
}

/** What a new record's insert begins with; see `writeStringsFor`. */
export function insertedValues(
  { dialect }: Pick<Writer, "dialect">,
  { workspaceId, number }: RecordType,
  { record, keys }: RecordWrite,
): (string | number | null)[] {
  const { id, data, created_at: at, created_by: by } = record;
  const values = [workspaceId, number, id, at, at, by, by, data, ...keys];
  return dialect === "sqlite" ? [uuidNumber(id), ...values] : values;
}

/**
 * Replaces the data of the version before `record.version`, and notes the changes and by which
 * operation they were made. False when that version is not the current one, or the type has changed meanwhile.
 */
export async function updateRecord(
  writer: Writer,
  type: RecordType,
  { record, keys, entry, changes, operation = "update" }: RecordChange,
): Promise<boolean> {
  const { update } = writeStringsFor(writer.dialect, type.columns);
  const { workspaceId, number, revision } = type;
  const { id, version, data, updated_at, updated_by } = record;
  const values = [
    version,
    data,
    updated_at,
    updated_by,
    ...keys,
    workspaceId,
    number,
    ...(writer.dialect === "sqlite" ? [uuidNumber(id)] : []),
    id,
    version - 1,
    workspaceId,
    number,
    revision,
  ];
  const text = JSON.stringify(changes);
  if (writer.dialect === "postgresql") values.push(operation, text);
  const { changedRows } = await writer.run(statement(update, ...values));
  if (changedRows === 0) return false;
  if (entry !== undefined) await replaceEntries(writer, type, [{ id, entry }]);
  await releaseDropped(writer, workspaceId, id, changes);
  if (writer.dialect === "postgresql") return true;
  await writer.run(statement`insert into resource_history
    (resource_id, version, type_number, operation, at, actor, changes)
    values (${id}, ${version}, ${number}, ${operation}, ${updated_at}, ${updated_by},
      jsonb(${text}))`);
  return true;
}

/** Removes a record and gives what it was; its history keeps `changes` of that. */
export async function deleteRecord(
  writer: Writer,
  type: Pick<RecordType, "workspaceId" | "number">,
  id: string,
): Promise<StoredRecord | undefined> {
  const removed = await writer.first<StoredRecord>(statement`delete from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number} and ${isRecord(id)}
    returning ${returnedColumns}`);
  if (removed !== undefined) await removeEntries(writer, type, [id]);
  return removed;
}

const returnedColumns = statement`id, version, ${jsonText("data")} as data, created_at, updated_at,
  created_by, updated_by`;

/** The history of a removal, its files given up, and one record less; how many files it had. */
export async function noteRemoval(
  writer: Writer,
  type: Pick<RecordType, "workspaceId" | "number">,
  removed: { readonly id: string; readonly version: number },
  note: {
    readonly at: string;
    readonly actor: string;
    readonly changes: readonly PatchOperation[];
  },
): Promise<number> {
  const { id, version } = removed;
  const values = statement`${id}, ${version}, ${type.number}, 'delete', ${note.at}, ${note.actor},
    ${jsonValue(note.changes)}`;
  const names = raw("resource_id, version, type_number, operation, at, actor, changes");
  await writer.run(
    byDialect({
      sqlite: statement`insert into resource_history (${names}) values (${values})`,
      postgresql: statement`insert into resource_history (workspace_id, ${names})
        values (${type.workspaceId}, ${values})`,
    }),
  );
  await writer.run(statement`insert into resource_counts
    (workspace_id, type_number, shard, records)
    values (${type.workspaceId}, ${type.number}, ${countShard}, -1)
    on conflict (workspace_id, type_number, shard)
      do update set records = resource_counts.records - 1`);
  return releaseFilesOf(writer, type.workspaceId, [id]);
}

/** What was written to a record after a version, oldest first; at most `limit` patches. */
export async function changesSince(
  reader: Reader,
  type: Pick<RecordType, "workspaceId" | "number">,
  id: string,
  version: number,
  limit: number,
): Promise<PatchOperation[]> {
  const rows = await reader.all<{ changes: string | null }>(statement`select
    ${jsonText<string | null>("changes")} as changes from resource_history
    where ${historyOf(type, id)} and version > ${version}
    order by version limit ${limit}`);
  // Only this store writes the column.
  return rows.flatMap(({ changes }) => JSON.parse(changes ?? "[]") as PatchOperation[]);
}

/** Which of these ids are records of the type; to a writer they stay so until its unit ends. */
export async function presentIds(
  reader: Reader | Writer,
  type: Pick<RecordType, "workspaceId" | "number">,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ id: string }>(statement`select id from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOfRecords(ids)} ${"run" in reader ? keyShare : raw("")}`);
  return new Set(rows.map((row) => row.id));
}

/** Keeps a referenced row from being deleted before the reference is there; readers don't wait. */
const keyShare = byDialect({ sqlite: raw(""), postgresql: raw("for key share") });

/** Each PostgreSQL connection counts in a row of its own: two writes never wait for each other. */
export const countShard = byDialect({ sqlite: raw("0"), postgresql: raw("pg_backend_pid() % 64") });

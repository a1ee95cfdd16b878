import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf, jsonText } from "../../../database/dialect.ts";
import { forgetNumbers } from "../../../database/shared-numbers.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../database/statement.ts";
import { releaseFilesOf } from "./record-files.ts";
import { removeEntries } from "./search/entries.ts";

/** A record by its id, and the number of its type. */
export interface NumberedRecord {
  readonly id: string;
  readonly typeNumber: number;
}

/** A write of a record, as far as an erasure reads it. */
export interface ErasedWrite {
  readonly version: number;
  readonly changes: string | null;
}

/** The type of a record that exists or has existed; undefined without a history. */
export async function numberedRecord(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<NumberedRecord | undefined> {
  const row = await reader.first<{ typeNumber: number }>(statement`select
      type_number as ${raw('"typeNumber"')} from resource_history
    where resource_id = ${id} and ${isOfWorkspace(workspaceId)} limit 1`);
  return row && { id, typeNumber: Number(row.typeNumber) };
}

/**
 * The deletion that named a record; undefined where it was deleted with another one, or where the
 * trash no longer has it.
 */
export async function ownDeletion(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const row = await reader.first<{ operation: string }>(statement`select operation_id as operation
    from deleted_records where workspace_id = ${workspaceId} and id = ${id} and root_id is null`);
  return row?.operation;
}

/** The operation of a record's last write; undefined for one without. */
export async function lastOperation(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const row = await reader.first<{ operation: string | null }>(statement`select
      operation_id as operation from resource_history
    where resource_id = ${id} and ${isOfWorkspace(workspaceId)} order by version desc limit 1`);
  return row?.operation ?? undefined;
}

/** The records that one deletion deleted and that are still deleted. */
export function deletedByOperation(
  reader: Reader,
  workspaceId: string,
  operationId: string,
): Promise<NumberedRecord[]> {
  const isLast = byDialect({
    sqlite: raw("later.resource_id = history.resource_id"),
    postgresql: raw(`later.workspace_id = history.workspace_id
      and later.resource_id = history.resource_id`),
  });
  return reader.all<NumberedRecord>(statement`select resource_id as id,
      type_number as ${raw('"typeNumber"')} from resource_history as history
    where operation_id = ${operationId} and operation = 'delete' and ${isOfWorkspace(workspaceId)}
      and not exists (select 1 from resource_history as later
        where ${isLast} and later.version > history.version)`);
}

/** The writes of a record after a version, oldest first. */
export function writesAfter(
  reader: Reader,
  workspaceId: string,
  id: string,
  version: number,
  limit: number,
): Promise<ErasedWrite[]> {
  return reader.all<ErasedWrite>(statement`select version,
      ${jsonText<string | null>("changes")} as changes from resource_history
    where resource_id = ${id} and ${isOfWorkspace(workspaceId)} and version > ${version}
    order by version limit ${limit}`);
}

/** Removes everything of deleted records: histories, files, places in the trash and in indexes. */
export async function removeTraces(
  writer: Writer,
  workspaceId: string,
  records: readonly NumberedRecord[],
): Promise<void> {
  const ids = records.map(({ id }) => id);
  if (ids.length === 0) return;
  await releaseFilesOf(
    writer,
    workspaceId,
    ids.map((id) => ({ id, version: 0 })),
    undefined,
  );
  await writer.run(statement`delete from resource_history
    where ${isOneOf(raw("resource_id"), ids)} and ${isOfWorkspace(workspaceId)}`);
  for (const [number, ofType] of Map.groupBy(records, ({ typeNumber }) => typeNumber)) {
    const own = ofType.map(({ id }) => id);
    await removeEntries(writer, { workspaceId, number }, own);
    await forgetNumbers(writer, own);
    await writer.run(statement`delete from deleted_records where workspace_id = ${workspaceId}
      and type_number = ${number} and id in (${join(own)})`);
    await writer.run(statement`delete from record_links where workspace_id = ${workspaceId}
      and type_number = ${number} and source_id in (${join(own)})`);
  }
}

/** SQLite's histories have no workspace: the type's number implies it. */
function isOfWorkspace(workspaceId: string): Statement {
  return byDialect({
    sqlite: statement`type_number in (select number from object_types
      where workspace_id = ${workspaceId})`,
    postgresql: statement`workspace_id = ${workspaceId}`,
  });
}

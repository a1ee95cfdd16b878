import type { Reader, Writer } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import { countRows } from "../../../database/row-pages.ts";
import { byDialect, nothing, raw, statement, type Statement } from "../../../database/statement.ts";
import type { TypeKey } from "../../object-types/service.ts";
import type { DeletionNote } from "./record-types.ts";

/** A deleted record that can be restored. */
export interface DeletedRecord {
  readonly id: string;
  readonly typeNumber: number;
  /** The version that the deletion created. */
  readonly version: number;
  readonly operationId: string;
  /** The record whose deletion has also deleted this one. */
  readonly rootId: string | null;
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly restorableUntil: string;
  /** JSON text of the patch of the deletion. */
  readonly changes: string;
}

export async function addDeleted(
  writer: Writer,
  { workspaceId, number }: TypeKey,
  removals: readonly { readonly id: string; readonly version: number }[],
  { at, actor, operationId, rootId, keepUntil }: DeletionNote,
): Promise<void> {
  const list = JSON.stringify(removals.map(({ id, version }) => ({ id, version })));
  const given = byDialect({
    sqlite: statement`select value ->> 'id' as id, value ->> 'version' as version
      from json_each(${list})`,
    postgresql: statement`select id, version
      from jsonb_to_recordset(${list}::text::jsonb) as row(id text, version bigint)`,
  });
  await writer.run(statement`insert into deleted_records (workspace_id, type_number, id, version,
      operation_id, root_id, deleted_at, deleted_by, restorable_until)
    select ${workspaceId}, ${number}, id, version, ${operationId},
      case when id = ${rootId} then null else ${rootId} end, ${at}, ${actor}, ${keepUntil ?? null}
    from (${given}) as given where true`);
}

export interface DeletedPage {
  readonly after: { readonly deletedAt: string; readonly id: string } | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Deleted records of a type that can still be restored, newest first. */
export async function deletedPage(
  reader: Reader,
  type: TypeKey,
  now: string,
  { after, offset, limit }: DeletedPage,
): Promise<DeletedRecord[]> {
  const bound =
    after === undefined
      ? nothing
      : statement`and (deleted_at, id) < (${after.deletedAt}, ${after.id})`;
  return selected(
    reader,
    statement`deleted.workspace_id = ${type.workspaceId} and deleted.type_number = ${type.number}
      and restorable_until >= ${now} ${bound}
      order by deleted_at desc, id desc limit ${limit} offset ${offset}`,
  );
}

export async function countDeleted(reader: Reader, type: TypeKey, now: string): Promise<number> {
  return countRows(
    reader,
    statement`from deleted_records where workspace_id = ${type.workspaceId}
      and type_number = ${type.number} and restorable_until >= ${now}`,
  );
}

/** A deleted record that can still be restored; undefined without one. */
export async function deletedRecord(
  reader: Reader,
  type: TypeKey,
  id: string,
  now: string,
): Promise<DeletedRecord | undefined> {
  const [row] = await selected(
    reader,
    statement`deleted.workspace_id = ${type.workspaceId} and deleted.type_number = ${type.number}
      and deleted.id = ${id} and restorable_until >= ${now}`,
  );
  return row;
}

/** The records that one deletion has deleted and that are not restored. */
export function deletedBy(
  reader: Reader,
  workspaceId: string,
  operationId: string,
): Promise<DeletedRecord[]> {
  return selected(
    reader,
    statement`deleted.workspace_id = ${workspaceId} and deleted.operation_id = ${operationId}
      order by id`,
  );
}

/** Forgets deleted records; returns how many there were. */
export async function forgetDeleted(
  writer: Writer,
  workspaceId: string,
  records: readonly Pick<DeletedRecord, "typeNumber" | "id" | "operationId">[],
): Promise<number> {
  let forgotten = 0;
  for (const { typeNumber, id, operationId } of records) {
    const { changedRows } = await writer.run(statement`delete from deleted_records
      where workspace_id = ${workspaceId} and type_number = ${typeNumber} and id = ${id}
        and operation_id = ${operationId}`);
    forgotten += changedRows;
  }
  return forgotten;
}

/** Forgets records that can no longer be restored, at most `limit`; returns how many. */
export async function forgetExpired(writer: Writer, now: string, limit: number): Promise<number> {
  const some = (key: Statement) =>
    statement`select ${key} from deleted_records where restorable_until < ${now} limit ${limit}`;
  const { changedRows } = await writer.run(
    byDialect({
      sqlite: statement`delete from deleted_records where rowid in (${some(raw("rowid"))})`,
      postgresql: statement`delete from deleted_records
        where ctid = any (array(${some(raw("ctid"))}))`,
    }),
  );
  return changedRows;
}

/** A write of a deletion on a record that it has not deleted. */
export interface ClearedRow {
  readonly id: string;
  readonly typeNumber: number;
  readonly changes: string;
}

/** The records whose references a deletion has cleared, with the patches, oldest first. */
export function clearedBy(
  reader: Reader,
  workspaceId: string,
  operationId: string,
): Promise<ClearedRow[]> {
  const isOfWorkspace = byDialect({
    sqlite: statement`type_number in (select number from object_types
      where workspace_id = ${workspaceId})`,
    postgresql: statement`workspace_id = ${workspaceId}`,
  });
  return reader.all<ClearedRow>(statement`select resource_id as id,
      type_number as ${raw('"typeNumber"')}, ${jsonText("changes")} as changes
    from resource_history
    where operation_id = ${operationId} and operation = 'update' and ${isOfWorkspace}
    order by resource_id, version`);
}

function selected(reader: Reader, which: Statement): Promise<DeletedRecord[]> {
  const isSame = byDialect({
    sqlite: raw("true"),
    postgresql: raw("history.workspace_id = deleted.workspace_id"),
  });
  return reader.all<DeletedRecord>(statement`select ${deletedColumns},
      ${jsonText("history.changes")} as changes
    from deleted_records as deleted join resource_history as history
      on history.resource_id = deleted.id and history.version = deleted.version and ${isSame}
    where ${which}`);
}

const deletedColumns = raw(`deleted.id, deleted.type_number as "typeNumber", deleted.version,
  deleted.operation_id as "operationId", root_id as "rootId", deleted_at as "deletedAt",
  deleted_by as "deletedBy", restorable_until as "restorableUntil"`);

import { pointerNames } from "#lib/json/pointer.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { byDialect, raw, statement, type Statement } from "../../../database/statement.ts";
import { requestRemovals, type StoredBytes } from "../../../files/removal-store.ts";
import type { PatchOperation } from "./patch.ts";
import type { TypeKey } from "../../object-types/service.ts";

export interface ResourceFile extends StoredBytes {
  readonly filename: string;
  readonly contentType: string;
}

interface FileColumns {
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
}

/** The file of a property; undefined where there is none, or no such record of the type. */
export async function resourceFile(
  reader: Reader,
  type: TypeKey,
  id: string,
  property: string,
): Promise<ResourceFile | undefined> {
  const row = await reader.first<FileColumns>(statement`select filename, content_type, size, sha256
    from resource_files where workspace_id = ${type.workspaceId} and resource_id = ${id}
      and property = ${property} and type_number = ${type.number}`);
  if (row === undefined) return undefined;
  const { filename, content_type: contentType, size, sha256 } = row;
  return { filename, contentType, size: Number(size), sha256 };
}

/** How long a file stays restorable that its record no longer has, and the last version with it. */
export interface KeptFile {
  readonly until: string | undefined;
  readonly version: number;
}

/** Puts a file on a property; the one that it replaces is kept, or its bytes are removed. */
export async function putResourceFile(
  writer: Writer,
  type: TypeKey,
  at: { readonly id: string; readonly property: string },
  file: ResourceFile,
  kept: KeptFile,
): Promise<void> {
  const before = await resourceFile(writer, type, at.id, at.property);
  if (before !== undefined && before.sha256 !== file.sha256) {
    await releaseFiles(writer, type.workspaceId, at.id, [at.property], kept);
  }
  await writer.run(statement`insert into resource_files
    (workspace_id, resource_id, property, type_number, filename, content_type, size, sha256)
    values (${type.workspaceId}, ${at.id}, ${at.property}, ${type.number}, ${file.filename},
      ${file.contentType}, ${file.size}, ${file.sha256})
    on conflict (workspace_id, resource_id, property) do update set
      filename = excluded.filename, content_type = excluded.content_type, size = excluded.size,
      sha256 = excluded.sha256`);
}

export async function releaseFiles(
  writer: Writer,
  workspaceId: string,
  id: string,
  properties: readonly string[],
  { until, version }: KeptFile,
): Promise<void> {
  for (const property of properties) {
    const which = statement`resource_id = ${id} and property = ${property}`;
    if (until === undefined) await release(writer, workspaceId, which);
    else {
      await writer.run(statement`update resource_files
        set property = ${keptName(property, version)}, kept_until = ${until}
        where workspace_id = ${workspaceId} and ${which}`);
    }
  }
}

/** Gives a property of a record the kept file with this digest; false where there is none. */
export async function restoreFile(
  writer: Writer,
  type: TypeKey,
  at: { readonly id: string; readonly property: string; readonly sha256: string },
  now: string,
): Promise<boolean> {
  const rows = await writer.all<{ property: string }>(statement`select property
    from resource_files where workspace_id = ${type.workspaceId} and resource_id = ${at.id}
      and type_number = ${type.number} and sha256 = ${at.sha256} and kept_until >= ${now}`);
  const kept = rows.find(({ property }) => property.startsWith(`${at.property}@`));
  if (kept === undefined) return false;
  await writer.run(statement`update resource_files
    set property = ${at.property}, kept_until = null
    where workspace_id = ${type.workspaceId} and resource_id = ${at.id}
      and property = ${kept.property}`);
  return true;
}

/** No property has such a name. */
function keptName(property: string, version: number): string {
  return `${property}@${version}`;
}

/** Removes files that are no longer restorable, at most `limit`; returns how many. */
export async function releaseExpired(writer: Writer, now: string, limit: number): Promise<number> {
  const rows = await writer.all<StoredBytes & { workspace_id: string }>(
    byDialect({
      sqlite: statement`delete from resource_files where rowid in (select rowid
        from resource_files where kept_until < ${now} limit ${limit})
        returning workspace_id, sha256, size`,
      postgresql: statement`delete from resource_files where ctid = any (array(select ctid
        from resource_files where kept_until < ${now} limit ${limit}))
        returning workspace_id, sha256, size`,
    }),
  );
  for (const [workspaceId, files] of Map.groupBy(rows, (row) => row.workspace_id)) {
    await requestRemovals(writer, workspaceId, files);
  }
  return rows.length;
}

/** The properties whose files a change takes out of a record's data. */
export function droppedFiles(changes: readonly PatchOperation[]): string[] {
  return changes.flatMap((change) => {
    if (change.op !== "test" || !isFileValue(change.value)) return [];
    const names = pointerNames(change.path);
    return names.length === 1 ? names : [];
  });
}

function isFileValue(value: unknown): boolean {
  return typeof value === "object" && value !== null && "sha256" in value && "filename" in value;
}

/** Keeps or removes all files of deleted records; returns how many were removed. */
export async function releaseFilesOf(
  writer: Writer,
  workspaceId: string,
  records: readonly { readonly id: string; readonly version: number }[],
  until: string | undefined,
): Promise<number> {
  if (records.length === 0) return 0;
  const ids = records.map(({ id }) => id);
  if (until === undefined) return release(writer, workspaceId, isOneOf(raw("resource_id"), ids));
  const list = JSON.stringify(records.map(({ id, version }) => ({ id, version: String(version) })));
  const given = byDialect({
    sqlite: statement`select value ->> 'id' as id, value ->> 'version' as version
      from json_each(${list})`,
    postgresql: statement`select id, version
      from jsonb_to_recordset(${list}::text::jsonb) as row(id text, version text)`,
  });
  await writer.run(statement`update resource_files
    set property = property || '@' || given.version, kept_until = ${until}
    from (${given}) as given
    where workspace_id = ${workspaceId} and resource_id = given.id and kept_until is null`);
  return 0;
}

async function release(writer: Writer, workspaceId: string, which: Statement): Promise<number> {
  const files = await writer.all<StoredBytes>(statement`delete from resource_files
    where workspace_id = ${workspaceId} and ${which} returning sha256, size`);
  await requestRemovals(writer, workspaceId, files);
  return files.length;
}

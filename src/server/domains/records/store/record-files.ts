import { pointerNames } from "#lib/json/pointer.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { raw, statement, type Statement } from "../../../database/statement.ts";
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

/** Puts a file on a property and requests the removal of the bytes it replaces. */
export async function putResourceFile(
  writer: Writer,
  type: TypeKey,
  at: { readonly id: string; readonly property: string },
  file: ResourceFile,
): Promise<void> {
  const before = await resourceFile(writer, type, at.id, at.property);
  await writer.run(statement`insert into resource_files
    (workspace_id, resource_id, property, type_number, filename, content_type, size, sha256)
    values (${type.workspaceId}, ${at.id}, ${at.property}, ${type.number}, ${file.filename},
      ${file.contentType}, ${file.size}, ${file.sha256})
    on conflict (workspace_id, resource_id, property) do update set
      filename = excluded.filename, content_type = excluded.content_type, size = excluded.size,
      sha256 = excluded.sha256`);
  if (before !== undefined && before.sha256 !== file.sha256) {
    await requestRemovals(writer, type.workspaceId, [before]);
  }
}

export async function releaseFiles(
  writer: Writer,
  workspaceId: string,
  id: string,
  properties: readonly string[],
): Promise<void> {
  for (const property of properties) {
    const which = statement`resource_id = ${id} and property = ${property}`;
    await release(writer, workspaceId, which);
  }
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

/** Removes all files of deleted records; returns how many there were. */
export async function releaseFilesOf(
  writer: Writer,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  return release(writer, workspaceId, isOneOf(raw("resource_id"), ids));
}

async function release(writer: Writer, workspaceId: string, which: Statement): Promise<number> {
  const files = await writer.all<StoredBytes>(statement`delete from resource_files
    where workspace_id = ${workspaceId} and ${which} returning sha256, size`);
  await requestRemovals(writer, workspaceId, files);
  return files.length;
}

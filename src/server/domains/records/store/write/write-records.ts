import type { Writer } from "../../../../database/database.ts";
import { droppedFiles, releaseFiles, releaseFilesOf } from "../record-files.ts";
import type { RecordType, TypeKey } from "../../../object-types/service.ts";
import type { RecordChange, RecordRemoval, RecordWrite } from "../record-types.ts";
import * as postgresql from "./postgresql-writes.ts";
import * as sqlite from "./sqlite-writes.ts";

/**
 * Creates records with their histories, search entries and count; returns the ids of those created.
 * A record with a unique value that is taken is left out; all are when the type has changed since.
 */
export async function insertRecords(
  writer: Writer,
  type: RecordType,
  writes: readonly RecordWrite[],
): Promise<ReadonlySet<string>> {
  if (writes.length === 0) return new Set();
  const engine = writer.dialect === "sqlite" ? sqlite : postgresql;
  return engine.insertRows(writer, type, writes);
}

/**
 * Writes next versions of different records, with their histories, search entries and files;
 * returns their ids. A record whose current version is another one is left out; all are when the
 * type has changed since. Fails with `DuplicateError` for a unique value that is taken.
 */
export async function updateRecords(
  writer: Writer,
  type: RecordType,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set();
  const engine = writer.dialect === "sqlite" ? sqlite : postgresql;
  const updated = await engine.updateRows(writer, type, changes);
  for (const { record, changes: patch } of changes) {
    const dropped = droppedFiles(patch);
    if (dropped.length === 0 || !updated.has(record.id)) continue;
    await releaseFiles(writer, type.workspaceId, record.id, dropped);
  }
  return updated;
}

/** Deletes records that this unit has read, with all that is theirs; returns the count of files. */
export async function deleteRecords(
  writer: Writer,
  type: TypeKey,
  removals: readonly RecordRemoval[],
  note: { readonly at: string; readonly actor: string },
): Promise<number> {
  if (removals.length === 0) return 0;
  const engine = writer.dialect === "sqlite" ? sqlite : postgresql;
  await engine.deleteRows(writer, type, removals, note);
  return releaseFilesOf(
    writer,
    type.workspaceId,
    removals.map(({ id }) => id),
  );
}

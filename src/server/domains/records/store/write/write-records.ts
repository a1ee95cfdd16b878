import type { Writer } from "../../../../database/database.ts";
import { addDeleted } from "../deleted-records.ts";
import { addLinks, removeLinks, type SourcedLink } from "../links.ts";
import { droppedFiles, releaseFiles, releaseFilesOf } from "../record-files.ts";
import type { RecordType, TypeKey } from "../../../object-types/service.ts";
import type { DeletionNote, RecordChange, RecordRemoval, RecordWrite } from "../record-types.ts";
import {
  hasOneEvent,
  reportCreated,
  reportDeleted,
  reportUpdated,
  storableCreations,
  type FactsOf,
  type Reporter,
  type ReportedType,
} from "./record-events.ts";
import * as postgresql from "./postgresql-writes.ts";
import * as sqlite from "./sqlite-writes.ts";

/**
 * Creates records with their histories, search entries and count; returns the ids of those created.
 * A record with a unique value that is taken is left out; all are when the type has changed since.
 */
export async function insertRecords<Write extends RecordWrite>(
  writer: Writer,
  type: RecordType & ReportedType,
  writes: readonly Write[],
  factsOf: FactsOf<Write>,
): Promise<ReadonlySet<string>> {
  if (writes.length === 0) return new Set();
  if (writer.dialect === "sqlite") {
    const made = await sqlite.insertRows(writer, type, writes);
    await writeLinks(writer, type, writes, made);
    for (const write of writes) {
      if (made.has(write.record.id)) reportCreated(factsOf(write), type, write);
    }
    return made;
  }
  const storable = storableCreations(type, writes, factsOf);
  const made = await postgresql.insertRows(writer, type, writes, storable);
  await writeLinks(writer, type, writes, made);
  for (const write of writes) {
    const { id } = write.record;
    const event = storable?.events.get(id)?.event;
    if (!made.has(id)) continue;
    if (event === undefined) reportCreated(factsOf(write), type, write);
    else factsOf(write).stored(event);
  }
  return made;
}

/** True if one statement on PostgreSQL inserts these records with all that belongs to them. */
export function isOneInsert({ slug }: ReportedType, writes: readonly RecordWrite[]): boolean {
  const hasLinks = writes.some(({ links }) => links !== undefined && links.added.length > 0);
  return !hasLinks && hasOneEvent(slug) && sizeOf(writes) <= oneInsertCharacters;
}

/** The events of records of this size surely fit into one row of the feed. */
const oneInsertCharacters = 256 * 1024;

function sizeOf(writes: readonly RecordWrite[]): number {
  return writes.reduce((sum, { record }) => sum + record.data.length, 0);
}

/**
 * Writes next versions of different records, with their histories, search entries and files;
 * returns their ids. A record whose current version is another one is left out; all are when the
 * type has changed since. Fails with `DuplicateError` for a unique value that is taken.
 */
export async function updateRecords<Change extends RecordChange>(
  writer: Writer,
  type: RecordType & ReportedType,
  changes: readonly Change[],
  factsOf: FactsOf<Change>,
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set();
  const engine = writer.dialect === "sqlite" ? sqlite : postgresql;
  const updated = await engine.updateRows(writer, type, changes);
  await writeLinks(writer, type, changes, updated);
  for (const change of changes) {
    const { record, changes: patch, keepUntil } = change;
    if (!updated.has(record.id)) continue;
    reportUpdated(factsOf(change), type, change);
    const dropped = droppedFiles(patch);
    if (dropped.length === 0) continue;
    const kept = { until: keepUntil, version: record.version - 1 };
    await releaseFiles(writer, type.workspaceId, record.id, dropped, kept);
  }
  return updated;
}

/** Deletes records that this unit has read, with all that is theirs; returns the count of files. */
export async function deleteRecords(
  writer: Writer & Reporter,
  type: ReportedType,
  removals: readonly RecordRemoval[],
  note: DeletionNote,
): Promise<number> {
  if (removals.length === 0) return 0;
  const engine = writer.dialect === "sqlite" ? sqlite : postgresql;
  await engine.deleteRows(writer, type, removals, note);
  for (const removal of removals) reportDeleted(writer, type, removal, note);
  await removeLinks(
    writer,
    type,
    removals.flatMap(({ id: source, links }) => links.map((link) => ({ ...link, source }))),
  );
  const last = removals.map(({ id, version }) => ({ id, version: version - 1 }));
  if (note.keepUntil !== undefined) await addDeleted(writer, type, removals, note);
  return releaseFilesOf(writer, type.workspaceId, last, note.keepUntil);
}

/** Writes the links of those records that were written. */
async function writeLinks(
  writer: Writer,
  type: TypeKey,
  writes: readonly RecordWrite[],
  written: ReadonlySet<string>,
): Promise<void> {
  const added: SourcedLink[] = [];
  const removed: SourcedLink[] = [];
  for (const { record, links } of writes) {
    if (links === undefined || !written.has(record.id)) continue;
    for (const link of links.added) added.push({ ...link, source: record.id });
    for (const link of links.removed) removed.push({ ...link, source: record.id });
  }
  await addLinks(writer, type, added);
  await removeLinks(writer, type, removed);
}

import type { Writer } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import { raw, statement } from "../../../database/statement.ts";
import {
  searchedProperties,
  searchEntry,
  type SearchEntry,
} from "../../../text/search/searched-texts.ts";
import type { Work } from "../../../work/work.ts";
import { objectTypeById, type StoredObjectType } from "../../object-types/service.ts";
import { dataOfRow, keyedRows } from "../store/indexes/keyed-rows.ts";
import { isOneOfRecords } from "../store/record-numbers.ts";
import {
  removeAllEntries,
  removeEntries,
  removeStrayEntries,
  replaceEntries,
} from "../store/search/entries.ts";

/** Records in one transaction, so that other writes wait a few milliseconds at most. */
const batchSize = 250;

/**
 * Rewrites the search entries of all records of a type. `mayContinue` throws to stop it, and
 * `onEntries` receives what was written.
 */
export async function fillEntries(
  work: Work,
  type: StoredObjectType,
  mayContinue: () => void,
  onEntries: (entries: readonly SearchEntry[]) => Promise<void>,
): Promise<void> {
  for (let afterId: string | undefined = ""; afterId !== undefined;) {
    mayContinue();
    const from: string = afterId;
    const batch = await work.write((tx) => fillBatch(tx, type, from));
    await onEntries(batch.entries);
    afterId = batch.lastId;
  }
}

/** Rewrites the search entries of records with these ids, of which some may no longer exist. */
export async function refillEntries(
  work: Work,
  type: StoredObjectType,
  ids: readonly string[],
): Promise<void> {
  const key = { workspaceId: type.workspace_id, number: type.number };
  const searched = searchedProperties(type.definition.properties);
  if (searched.length === 0) return;
  for (let at = 0; at < ids.length; at += batchSize) {
    const some = ids.slice(at, at + batchSize);
    await work.write(async (tx) => {
      await removeEntries(tx, key, some);
      const rows = await tx.all<{ id: string; data: string }>(statement`select id,
        ${jsonText("data")} as data from resources where workspace_id = ${key.workspaceId}
          and type_number = ${key.number} and ${isOneOfRecords(some)} order by ${raw("id")}`);
      const entries = rows.map((row) => ({
        id: row.id,
        entry: searchEntry(searched, dataOfRow(row)),
      }));
      await replaceEntries(tx, key, entries);
    });
  }
}

async function fillBatch(
  writer: Writer,
  { workspace_id: workspaceId, id, number }: StoredObjectType,
  afterId: string,
): Promise<{ lastId: string | undefined; entries: readonly SearchEntry[] }> {
  // The type is read again: a change of the definition starts its own run.
  const type = await objectTypeById(writer, workspaceId, id);
  if (type === undefined) return { lastId: undefined, entries: [] };
  const key = { workspaceId, number };
  const searched = searchedProperties(type.definition.properties);
  if (searched.length === 0) {
    const removed = await removeAllEntries(writer, key, batchSize);
    return { lastId: removed < batchSize ? undefined : "", entries: [] };
  }
  const records = await keyedRows(writer, key, [], { afterId, limit: batchSize });
  const entries = records.map((record) => ({
    id: record.id,
    entry: searchEntry(searched, dataOfRow(record)),
  }));
  await replaceEntries(writer, key, entries);
  const written = entries.map(({ entry }) => entry);
  const lastId = records.at(-1)?.id;
  const stray = await removeStrayEntries(writer, key, { afterId, upToId: lastId }, batchSize);
  return { lastId: stray === batchSize ? afterId : lastId, entries: written };
}

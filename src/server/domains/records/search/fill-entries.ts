import { searchedProperties, searchEntry } from "../../../text/search/searched-texts.ts";
import type { Database, Writer } from "../../../database/database.ts";
import { objectTypeById, type StoredObjectType } from "../../object-types/service.ts";
import {
  removeAllEntries,
  removeStrayEntries,
  replaceEntries,
  type EntryWrite,
} from "../store/search/entries.ts";
import { dataOfRow, keyedRows } from "../store/indexes/keyed-rows.ts";
import type { SearchWords } from "./word-list.ts";

/** Records in one transaction, so that other writes wait a few milliseconds at most. */
const batchSize = 250;

/** Rewrites the search entries of all records of a type. `mayContinue` throws to stop it. */
export async function fillEntries(
  stores: { readonly database: Database; readonly words: SearchWords },
  type: StoredObjectType,
  mayContinue: () => void,
): Promise<void> {
  for (let afterId: string | undefined = ""; afterId !== undefined;) {
    mayContinue();
    const from: string = afterId;
    const batch = await stores.database.write((writer) => fillBatch(writer, type, from));
    await stores.words.note(
      type.workspace_id,
      batch.entries.map(({ entry }) => entry),
    );
    afterId = batch.lastId;
  }
}

async function fillBatch(
  writer: Writer,
  { workspace_id: workspaceId, id, number }: StoredObjectType,
  afterId: string,
): Promise<{ lastId: string | undefined; entries: readonly EntryWrite[] }> {
  // Read again: a change of the definition starts its own run.
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
  const lastId = records.at(-1)?.id;
  const stray = await removeStrayEntries(writer, key, { afterId, upToId: lastId }, batchSize);
  return { lastId: stray === batchSize ? afterId : lastId, entries };
}

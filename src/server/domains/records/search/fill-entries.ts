import { searchedProperties, searchEntry } from "../../../text/search/searched-texts.ts";
import type { Database, Writer } from "../../../database/database.ts";
import { objectTypeById, type StoredObjectType } from "../../object-types/service.ts";
import {
  recordsAfter,
  removeAllEntries,
  removeStrayEntries,
  replaceEntries,
  type EntryWrite,
} from "../store/search/entries.ts";
import type { SearchWords } from "./word-list.ts";

/** Records in one write unit: others' writes wait no longer than some milliseconds. */
const recordsAtATime = 250;

/** Writes the entries of all records of a type again, from their texts, in small units. */
export class SearchFill {
  readonly #database: Database;
  readonly #words: SearchWords;

  constructor(options: { readonly database: Database; readonly words: SearchWords }) {
    this.#database = options.database;
    this.#words = options.words;
  }

  /** `goOn` is asked before each unit, and throws where the work shall end. */
  async run(type: StoredObjectType, goOn: () => void): Promise<void> {
    for (let afterId: string | undefined = ""; afterId !== undefined;) {
      goOn();
      const from: string = afterId;
      const step = await this.#database.write((writer) => this.#step(writer, type, from));
      await this.#words.note(
        type.workspace_id,
        step.entries.map(({ entry }) => entry),
      );
      afterId = step.lastId;
    }
  }

  async #step(
    writer: Writer,
    { workspace_id: workspaceId, id, number }: StoredObjectType,
    afterId: string,
  ): Promise<{ lastId: string | undefined; entries: readonly EntryWrite[] }> {
    // As it is now: who changes the definition fills the index himself, before or behind this.
    const type = await objectTypeById(writer, workspaceId, id);
    if (type === undefined) return { lastId: undefined, entries: [] };
    const key = { workspaceId, number };
    const searched = searchedProperties(type.definition.properties);
    if (searched.length === 0) {
      const removed = await removeAllEntries(writer, key, recordsAtATime);
      return { lastId: removed < recordsAtATime ? undefined : "", entries: [] };
    }
    const records = await recordsAfter(writer, key, afterId, recordsAtATime);
    const entries = records.map((record) => ({
      id: record.id,
      entry: searchEntry(searched, record.data),
    }));
    await replaceEntries(writer, key, entries);
    const last = records.at(-1);
    const range = { afterId, upToId: last?.id };
    const stray = await removeStrayEntries(writer, key, range, recordsAtATime);
    if (stray === recordsAtATime) return { lastId: afterId, entries };
    return { lastId: last?.id, entries };
  }
}

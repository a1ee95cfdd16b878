import type { JsonObject } from "#contract/values.ts";
import {
  searchedProperties,
  searchEntry,
  type SearchedProperty,
} from "../../text/search/searched-texts.ts";
import type { Reader } from "../../database/database.ts";
import { passagesWithoutEntry } from "../documents/service.ts";
import type { StoredObjectType } from "../object-types/service.ts";
import { countStrayEntries, entryChecksums, recordsByIds } from "../records/service.ts";
import { searchOutOfStep, Tally, type Finding } from "./finding.ts";

const batchSize = 200;

/** Compares a type's search entries with its records, which the caller adds one by one. */
export class SearchEntryCheck {
  readonly #searched: readonly SearchedProperty[];
  /** Checksums by record id; undefined for a record without words. */
  readonly #expected = new Map<string, number | undefined>();
  readonly #tally = new Tally();

  constructor(
    private readonly reader: Reader,
    private readonly type: StoredObjectType,
  ) {
    this.#searched = searchedProperties(type.definition.properties);
  }

  async add(id: string, data: JsonObject): Promise<void> {
    // An index that is being filled is incomplete, which is no fault.
    if (this.type.search_state !== "ready" || this.#searched.length === 0) return;
    this.#expected.set(id, this.#checksumOf(data));
    if (this.#expected.size === batchSize) await this.#compare();
  }

  /** Call it after the last record. */
  async findings(): Promise<Finding[]> {
    await this.#compare();
    const { workspace_id: workspaceId, slug, number } = this.type;
    const stray = await countStrayEntries(this.reader, { workspaceId, number });
    this.#tally.count += stray;
    const fault = searchOutOfStep(workspaceId, "The search index differs from the records");
    return this.#tally.finding({ ...fault, subject: slug });
  }

  async #compare(): Promise<void> {
    if (this.#expected.size === 0) return;
    const { workspace_id: workspaceId, number } = this.type;
    const ids = [...this.#expected.keys()];
    const key = { workspaceId, number };
    const stored = await entryChecksums(this.reader, key, ids);
    const suspects = ids.filter((id) => stored.get(id) !== this.#expected.get(id));
    this.#expected.clear();
    if (suspects.length === 0) return;
    // A record may have been written since the first read.
    const records = await recordsByIds(this.reader, key, suspects);
    const again = await entryChecksums(this.reader, key, suspects);
    for (const [id, { data }] of records) {
      if (again.get(id) !== this.#checksumOf(JSON.parse(data) as JsonObject)) this.#tally.add(id);
    }
  }

  #checksumOf(data: JsonObject): number | undefined {
    const { terms, checksum } = searchEntry(this.#searched, data);
    return terms.length === 0 ? undefined : checksum;
  }
}

/** Passages that no search can find. */
export async function checkPassages(reader: Reader, workspaceId: string): Promise<Finding[]> {
  const count = await passagesWithoutEntry(reader, workspaceId);
  if (count === 0) return [];
  const detail = "Passages of documents are not in the search index";
  return [{ ...searchOutOfStep(workspaceId, detail), count, examples: [] }];
}

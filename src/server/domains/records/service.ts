import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import type { AggregateAnswer, Aggregation } from "#contract/resources/aggregate.ts";
import type { HistoryItem } from "#contract/resources/history.ts";
import type { JsonObject } from "#contract/values.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import {
  requireMatch,
  type Caller,
  type Principal,
  type VersionMatch,
} from "../../http/handler.ts";
import { JsonText } from "../../http/response/json-text.ts";
import type { Database } from "../../database/database.ts";
import { DuplicateError } from "../../kit/storage-errors.ts";
import { deleteRecord, noteRemoval, recordById } from "./store/records.ts";
import type { RecordWrite, StoredRecord } from "./store/records.ts";
import { removal } from "./store/patch.ts";
import { keysOf, type ObjectTypeService, type CompiledType } from "../object-types/service.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ResourceActions } from "./write/actions.ts";
import { aggregateOf } from "./read/aggregate.ts";
import { Overtaken, readUnderType, requireType, underType } from "./under-type.ts";
import { ResourceBatch } from "./write/batch.ts";
import { creations, type Creation } from "./write/creations.ts";
import { ResourceHistory } from "./read/history.ts";
import { ResourceList } from "./read/list.ts";
import { ResourceLookup } from "./read/lookup.ts";
import {
  dataOf,
  duplicateRefusal,
  recordText,
  resourceOf,
  resourceText,
  textOf,
  unwrapped,
} from "./record.ts";
import { conflictSince, writeNextVersion } from "./write/next-version.ts";
import { ResourceQueries } from "./read/query.ts";
import { newReferences, resolveReferences } from "./write/references.ts";
import { ResourceSearches } from "./search/search.ts";
import type { SearchWords } from "./search/word-list.ts";
import type { SlowFilters } from "./read/slow-filters.ts";

export { isActive, type FoundRecord, type RecordLookup } from "./read/lookup.ts";

/** A record that was made, as it goes to the wire. */
export interface MadeRecord {
  readonly id: string;
  readonly version: number;
  readonly text: JsonText<Resource>;
}

export interface RecordUpdate {
  readonly id: string;
  /** The whole new data. */
  readonly data: JsonObject;
  /** The version that it was made from. */
  readonly version: number;
  readonly ifMatch?: VersionMatch | undefined;
}

/** Typed records of workspaces (spec 2.3, 4.2). */
export class ResourceService {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;
  readonly #words: SearchWords;
  readonly #now: () => Date;
  readonly #onFilesReleased: () => void;
  readonly #slowFilters: SlowFilters;
  readonly #create: (creation: Creation) => Promise<void>;
  readonly #list: ResourceList;
  readonly #history: ResourceHistory;
  /** Many records at a time. */
  readonly batch: ResourceBatch;
  /** The types' own verbs. */
  readonly actions: ResourceActions;
  /** Records of several types. */
  readonly queries: ResourceQueries;
  /** Records that a text finds. */
  readonly search: ResourceSearches;
  /** Records for other domains. */
  readonly lookup: ResourceLookup;

  constructor(options: {
    database: Database;
    objectTypes: ObjectTypeService;
    words: SearchWords;
    now: () => Date;
    cursors: ListCursors;
    /** Watches what is slow for want of an index. */
    slowFilters: SlowFilters;
    /** Called after a deletion that took files with it: their bytes may go. */
    onFilesReleased: () => void;
    /** Writes what {@link create} has checked; where another thread does, by that one. */
    create?: (creation: Creation) => Promise<void>;
  }) {
    this.#onFilesReleased = options.onFilesReleased;
    this.#database = options.database;
    this.#objectTypes = options.objectTypes;
    this.#words = options.words;
    this.#now = options.now;
    this.#slowFilters = options.slowFilters;
    this.#create = options.create ?? options.database.merged(creations);
    this.#list = new ResourceList(options);
    this.#history = new ResourceHistory(options.database, options.cursors);
    this.batch = new ResourceBatch(options);
    this.actions = new ResourceActions(options);
    this.queries = new ResourceQueries(options);
    this.search = new ResourceSearches(options);
    this.lookup = new ResourceLookup(options);
  }

  /** `body` is the data, or `{ data }`; refuses 422 with a pointer to each fault, 409, 413. */
  async create(
    principal: Principal,
    workspaceId: string,
    slug: string,
    body: JsonObject,
    /** What the caller's answer is kept as; called inside the write unit (see `Context.remember`). */
    remember: (made: MadeRecord) => void = () => {},
  ): Promise<MadeRecord> {
    return underType(this.#objectTypes, workspaceId, slug, async (type) => {
      const { data, base } = unwrapped(type, body);
      const checked = type.check(data, { isCreation: true, base });
      const text = textOf(checked, base);
      const references = await resolveReferences(
        this.#objectTypes,
        workspaceId,
        checked.references,
      );
      const now = this.#now();
      const time = now.toISOString();
      const record: StoredRecord = {
        id: this.#database.ids.next(now),
        version: 1,
        data: text,
        created_at: time,
        updated_at: time,
        created_by: principal.oid,
        updated_by: principal.oid,
      };
      const { id, version } = record;
      const made = { id, version, text: new JsonText<Resource>(recordText(type, record, text)) };
      const keys = keysOf(type.columns, checked.data);
      const entry = type.entryOf(checked.data);
      const noted = this.#words.note(workspaceId, [entry]);
      if (noted !== undefined) await noted;
      await this.#refusingDuplicates(type, base, () =>
        this.#create({
          type,
          write: { record, keys, entry },
          references,
          remember: () => remember(made),
        }),
      );
      return made;
    });
  }

  /** Writes a record that was checked under this revision of its type; else `Overtaken`. */
  async insert(
    checked: { readonly workspaceId: string; readonly slug: string; readonly revision: number },
    write: RecordWrite,
  ): Promise<void> {
    const type = await requireType(this.#objectTypes, checked.workspaceId, checked.slug);
    if (type.revision !== checked.revision) throw new Overtaken();
    await this.#create({ type, write, references: undefined, remember: () => {} });
  }

  async get(workspaceId: string, slug: string, id: string): Promise<Resource> {
    const { type, record } = await this.#stored(workspaceId, slug, id);
    return resourceOf(type, record);
  }

  /** What {@link get} gives, as it goes to the wire. */
  getText(
    workspaceId: string,
    slug: string,
    id: string,
  ): Promisable<{ version: number; text: JsonText<Resource> }> {
    return chained(this.#stored(workspaceId, slug, id), ({ type, record }) => ({
      version: record.version,
      text: new JsonText(resourceText(type, record)),
    }));
  }

  /** The record as it stood in a version, whether it is deleted by now or not; else 404. */
  async getVersion(
    workspaceId: string,
    slug: string,
    id: string,
    version: number,
    signal: AbortSignal,
  ): Promise<Resource> {
    return this.#history.at(
      await requireType(this.#objectTypes, workspaceId, slug),
      id,
      version,
      signal,
    );
  }

  /** What was written to a record, newest first, also to one that is deleted by now. */
  async history(
    workspaceId: string,
    slug: string,
    id: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
    signal: AbortSignal,
  ): Promise<ListBody<HistoryItem>> {
    return this.#history.page(
      await requireType(this.#objectTypes, workspaceId, slug),
      id,
      query,
      signal,
    );
  }

  async list(
    workspaceId: string,
    slug: string,
    query: ListQuery,
    caller?: Caller,
  ): Promise<ListBody<Resource>> {
    return readUnderType(this.#objectTypes, workspaceId, slug, (type) =>
      this.#list.page(type, query, caller),
    );
  }

  /** What {@link list} gives, as it goes to the wire. */
  async listText(
    workspaceId: string,
    slug: string,
    query: ListQuery,
    caller: Caller,
  ): Promise<JsonText<ListBody<Resource>>> {
    return readUnderType(this.#objectTypes, workspaceId, slug, (type) =>
      this.#list.pageText(type, query, caller),
    );
  }

  /** Figures of records in groups; 422 with a pointer to each field that can't be used so. */
  async aggregate(
    workspaceId: string,
    slug: string,
    wanted: Aggregation,
    signal: AbortSignal,
  ): Promise<AggregateAnswer> {
    return readUnderType(this.#objectTypes, workspaceId, slug, (type) =>
      aggregateOf(this.#database, this.#slowFilters, type, wanted, signal),
    );
  }

  /**
   * Replaces a record's data. 409 with `currentVersion` and `changedFields` when `version` is not
   * the current one, 412 when `If-Match` is not.
   */
  async update(
    principal: Principal,
    workspaceId: string,
    slug: string,
    wanted: RecordUpdate,
  ): Promise<Resource> {
    const services = {
      database: this.#database,
      objectTypes: this.#objectTypes,
      words: this.#words,
      now: this.#now,
    };
    return underType(this.#objectTypes, workspaceId, slug, async (type) => {
      const { read } = this.#database;
      const current = await recordById(read, type, wanted.id);
      if (current === undefined) throw new Refusal("not-found");
      requireMatch(wanted.ifMatch, current.version);
      if (current.version !== wanted.version) {
        throw await conflictSince(read, type, current, wanted.version);
      }
      const stored = dataOf(type, current);
      const checked = type.check(wanted.data, { isCreation: false, base: ["data"], stored });
      const uses = newReferences(type, stored, checked.references);
      return writeNextVersion(services, type, {
        current,
        stored,
        checked,
        uses,
        oid: principal.oid,
      });
    });
  }

  async delete(
    principal: Principal,
    workspaceId: string,
    slug: string,
    id: string,
    ifMatch?: VersionMatch,
  ): Promise<void> {
    const type = await requireType(this.#objectTypes, workspaceId, slug);
    const at = this.#now().toISOString();
    const files = await this.#database.write(async (writer) => {
      const removed = await deleteRecord(writer, type, id);
      if (removed === undefined) throw new Refusal("not-found");
      requireMatch(ifMatch, removed.version);
      const changes = removal(dataOf(type, removed));
      const after = { id, version: removed.version + 1 };
      return noteRemoval(writer, type, after, { at, actor: principal.oid, changes });
    });
    if (files > 0) this.#onFilesReleased();
  }

  #stored(
    workspaceId: string,
    slug: string,
    id: string,
  ): Promisable<{ type: CompiledType; record: StoredRecord }> {
    return chained(requireType(this.#objectTypes, workspaceId, slug), (type) =>
      chained(recordById(this.#database.read, type, id), (record) => {
        if (record === undefined) throw new Refusal("not-found");
        return { type, record };
      }),
    );
  }

  async #refusingDuplicates<T>(
    type: CompiledType,
    base: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DuplicateError) throw duplicateRefusal(type, error, base);
      throw error;
    }
  }
}

export type { IndexMaintenance } from "./indexes/index-maintenance.ts";
export type { SlowFilters, SlowPath } from "./read/slow-filters.ts";
export { fillColumns, lastId, unfilledRows } from "./store/indexes/index-columns.ts";
export { allKeyedRows, type RowRange } from "./store/indexes/keyed-rows.ts";
export { makeIndex, missingIndexes } from "./store/indexes/missing-indexes.ts";
export { presentIds } from "./store/records.ts";
export { countStrayEntries, entryChecksums } from "./store/search/entries.ts";
export { recordsByIds } from "./store/write/write-records.ts";

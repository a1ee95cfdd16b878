import type { AnswerBudget } from "../../http/response/answer-budget.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources.ts";
import type { AggregateAnswer, Aggregation } from "#contract/resources/aggregate.ts";
import type { Batch, BatchAnswer } from "#contract/resources/batch.ts";
import type { BatchDeletionItem, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { HistoryItem } from "#contract/resources/history.ts";
import type { JsonObject } from "#contract/values.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Caller, Principal, VersionMatch } from "../../http/handler.ts";
import { JsonText } from "../../http/response/json-text.ts";
import type { Database } from "../../database/database.ts";
import { recordById } from "./store/records.ts";
import type { RecordWrite, StoredRecord } from "./store/record-types.ts";
import type { ObjectTypeService, CompiledType } from "../object-types/service.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { aggregateOf } from "./read/aggregate.ts";
import { readUnderType, requireType } from "./current-type.ts";
import { RecordCreations, type MadeRecord, type WriteCreations } from "./write/create-records.ts";
import { RecordDeletions } from "./write/delete-records.ts";
import { ResourceActions } from "./write/execute-action.ts";
import { RecordUpdates, replacement, type RecordUpdate } from "./write/update-records.ts";
import type { WriteScope } from "./write/write-unit.ts";
import { ResourceHistory } from "./read/history.ts";
import { ResourceList } from "./read/list.ts";
import { ResourceLookup } from "./read/lookup.ts";
import { resourceOf, resourceText } from "./record.ts";
import { ResourceQueries } from "./read/query.ts";
import { ResourceSearches } from "./search/search.ts";
import type { SearchWords } from "../search/service.ts";
import type { SlowFilters } from "./read/slow-filters.ts";

export { isActive, type FoundRecord, type RecordLookup } from "./read/lookup.ts";
export { eraseOldHistories, eraseRecords, eraseTypes, typeNumbersOf } from "./erase.ts";
export type { MadeRecord };

/** Typed records of workspaces (spec 2.3, 4.2). */
export class ResourceService {
  readonly #creations: RecordCreations;
  readonly #updates: RecordUpdates;
  readonly #deletions: RecordDeletions;
  readonly #list: ResourceList;
  readonly #history: ResourceHistory;
  readonly actions: ResourceActions;
  readonly queries: ResourceQueries;
  readonly search: ResourceSearches;
  /** Records for other domains. */
  readonly lookup: ResourceLookup;

  constructor(
    private readonly options: {
      database: Database;
      objectTypes: ObjectTypeService;
      words: SearchWords;
      now: () => Date;
      cursors: ListCursors;
      /** Watches filters that are slow without an index. */
      slowFilters: SlowFilters;
      /** The bytes of all answers under way. */
      answers: AnswerBudget;
      /** Called after a deletion that released files: their bytes may be removed. */
      onFilesReleased: () => void;
      /** Writes checked creations: a thread that only reads hands them to the main one. */
      create?: WriteCreations;
    },
  ) {
    this.#creations = new RecordCreations(options, options.create);
    this.#updates = new RecordUpdates(options);
    this.#deletions = new RecordDeletions(options, options.onFilesReleased);
    this.#list = new ResourceList(options);
    this.#history = new ResourceHistory(options.database, options.cursors);
    this.actions = new ResourceActions(this.#updates);
    this.queries = new ResourceQueries(options);
    this.search = new ResourceSearches(options);
    this.lookup = new ResourceLookup(options);
  }

  /** Each record has its outcome; an atomic batch with a refused item is refused like that item. */
  readonly batch = {
    create: (
      scope: WriteScope,
      batch: Batch<JsonObject>,
      remember: (answer: BatchAnswer) => void,
    ): Promise<BatchAnswer> => this.#creations.batch(scope, batch, remember),
    update: (scope: WriteScope, batch: Batch<BatchUpdateItem>): Promise<BatchAnswer> =>
      this.#updates.batch(scope, batch),
    delete: (scope: WriteScope, batch: Batch<BatchDeletionItem>): Promise<BatchAnswer> =>
      this.#deletions.batch(scope, batch),
  };

  /** `body` is the data, or `{ data }`; refuses 422 with a pointer to each fault, 409, 413. */
  create(
    principal: Principal,
    workspaceId: string,
    slug: string,
    body: JsonObject,
    /** Called with the answer inside the write unit (see `Context.remember`). */
    remember: (made: MadeRecord) => void = () => {},
  ): Promise<MadeRecord> {
    return this.#creations.single({ principal, workspaceId, slug }, body, remember);
  }

  /** Writes a record that was checked under this revision of its type; else `Overtaken`. */
  insert(
    under: { readonly workspaceId: string; readonly slug: string; readonly revision: number },
    write: RecordWrite,
  ): Promise<void> {
    return this.#creations.insert(under, write);
  }

  async get(workspaceId: string, slug: string, id: string): Promise<Resource> {
    const { type, record } = await this.#stored(workspaceId, slug, id);
    return resourceOf(type, record);
  }

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

  /** A version of the record, also of a deleted one; 404 without it. */
  async getVersion(
    workspaceId: string,
    slug: string,
    id: string,
    version: number,
    signal: AbortSignal,
  ): Promise<Resource> {
    const type = await requireType(this.options.objectTypes, workspaceId, slug);
    return this.#history.at(type, id, version, signal);
  }

  /** The writes of a record, newest first, also of a deleted one. */
  async history(
    workspaceId: string,
    slug: string,
    id: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
    signal: AbortSignal,
  ): Promise<ListBody<HistoryItem>> {
    const type = await requireType(this.options.objectTypes, workspaceId, slug);
    return this.#history.page(type, id, query, signal);
  }

  async list(
    workspaceId: string,
    slug: string,
    query: ListQuery,
    caller?: Caller,
  ): Promise<ListBody<Resource>> {
    return readUnderType(this.options.objectTypes, workspaceId, slug, (type) =>
      this.#list.page(type, query, caller),
    );
  }

  async listText(
    workspaceId: string,
    slug: string,
    query: ListQuery,
    caller: Caller,
  ): Promise<JsonText<ListBody<Resource>>> {
    return readUnderType(this.options.objectTypes, workspaceId, slug, (type) =>
      this.#list.pageText(type, query, caller),
    );
  }

  /** Figures of records in groups; 422 with a pointer to each field that cannot be used so. */
  async aggregate(
    workspaceId: string,
    slug: string,
    aggregation: Aggregation,
    signal: AbortSignal,
  ): Promise<AggregateAnswer> {
    return readUnderType(this.options.objectTypes, workspaceId, slug, (type) =>
      aggregateOf(this.options.database, this.options.slowFilters, type, aggregation, signal),
    );
  }

  /** 412 for a stale `If-Match`; 409 with `changedFields` for a stale `version`. */
  update(
    principal: Principal,
    workspaceId: string,
    slug: string,
    update: RecordUpdate,
  ): Promise<Resource> {
    return this.#updates.single({ principal, workspaceId, slug }, update, replacement);
  }

  /** 404 without such a record, 412 for a stale `If-Match`. */
  delete(
    principal: Principal,
    workspaceId: string,
    slug: string,
    id: string,
    ifMatch?: VersionMatch,
  ): Promise<void> {
    return this.#deletions.single({ principal, workspaceId, slug }, { id, ifMatch });
  }

  #stored(
    workspaceId: string,
    slug: string,
    id: string,
  ): Promisable<{ type: CompiledType; record: StoredRecord }> {
    return chained(requireType(this.options.objectTypes, workspaceId, slug), (type) =>
      chained(recordById(this.options.database.read, type, id), (record) => {
        if (record === undefined) throw new Refusal("not-found");
        return { type, record };
      }),
    );
  }
}

export type { IndexMaintenance } from "./indexes/index-maintenance.ts";
export type { SlowFilters, SlowPath } from "./read/slow-filters.ts";
export { fillColumns, lastId, unfilledRows } from "./store/indexes/index-columns.ts";
export { allKeyedRows, type RowRange } from "./store/indexes/keyed-rows.ts";
export { makeIndex, missingIndexes } from "./store/indexes/index-columns.ts";
export { presentIds, recordsByIds } from "./store/records.ts";
export { countStrayEntries, entryChecksums } from "./store/search/entries.ts";

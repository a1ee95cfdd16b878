import type { AnswerBudget } from "../../kit/answer-budget.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { ResourceListQuery } from "#contract/resources/reads/selection.ts";
import type { AggregateAnswer, Aggregation } from "#contract/resources/reads/aggregate.ts";
import type { Batch, BatchAnswer, BatchOperation } from "#contract/resources/batch.ts";
import type { BatchDeletionItem, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { DeletionPreview } from "#contract/resources/deletions.ts";
import type { DistinctAnswer, DistinctRequest } from "#contract/resources/reads/distinct.ts";
import type { HistoryItem } from "#contract/resources/reads/history.ts";
import type { JsonObject } from "#contract/values.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Caller, VersionMatch } from "../../work/caller.ts";
import type { Facts, Work } from "../../work/work.ts";
import { recordById } from "./store/records.ts";
import type { RecordWrite, StoredRecord } from "./store/record-types.ts";
import type { ObjectTypeService, ReadableType } from "../object-types/service.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { aggregateOf } from "./read/aggregate.ts";
import { distinctOf } from "./read/distinct.ts";
import { lookedUpRecord, lookedUpRecords } from "./read/lookups.ts";
import { readUnderType, requireReadable } from "./current-type.ts";
import { RecordCreations, type MadeRecord, type WriteCreations } from "./write/create-records.ts";
import { ArchivedRecords } from "./archived/archived-records.ts";
import { RecordBatches } from "./write/batch-records.ts";
import { BatchPieces } from "./write/pieces.ts";
import { RecordDeletions, type DeletionScope } from "./write/delete-records.ts";
import { ResourceActions } from "./write/execute-action.ts";
import {
  mergePatch,
  RecordUpdates,
  replacement,
  type RecordPatch,
  type RecordUpdate,
} from "./write/update-records.ts";
import { RecordUpserts } from "./write/upsert-records.ts";
import type { WriteScope, WriteServices } from "./write/write-unit.ts";
import { ResourceHistory } from "./read/history.ts";
import { ResourceList } from "./read/list.ts";
import { resourceOf, resourceText } from "./record.ts";
import { partOf, selected, selectionOf, type Wanted } from "./read/selection.ts";
import { ResourceQueries } from "./read/query.ts";
import { withoutWriting } from "./imports/without-writing.ts";
import { RecordImports } from "./imports/imports.ts";
import { RecordErasures } from "./delete/erase-records.ts";
import { RecordTrash } from "./trash/trash.ts";
import { ResourceSearches } from "./search/search.ts";
import type { SlowFilters } from "./read/slow-filters.ts";

export { judgeOf, type Judge } from "./where/judge.ts";
export { parseWhere } from "./where/record-filter.ts";
export { metricFault } from "./read/aggregate.ts";
export { namedValue } from "./delete/erased-values.ts";
export { eraseOldHistories, eraseRecords, eraseTypes, typeNumbersOf } from "./erase.ts";
export { fillEntries, refillEntries } from "./indexes/fill-entries.ts";
export type { IndexMaintenance } from "./indexes/index-maintenance.ts";
export { IdShares } from "./id-shares.ts";
export { indexRepair } from "./indexes/index-repair.ts";
export { startSweep } from "./trash/sweep.ts";
export { recordsOfWorkspace, typesOfRecords } from "./archived/workspace-records.ts";
export type { ArchivedRecord } from "./archived/checked-archived.ts";
export { isActive, type FoundRecord, type RecordLookup } from "./read/lookups.ts";
export { inspectRecords, type InspectOptions } from "./inspect-records.ts";
export type { SlowFilters, SlowPath } from "./read/slow-filters.ts";
export type { MadeRecord };

/** Typed records of workspaces (spec 2.3, 4.2). */
export class ResourceService {
  readonly #creations: RecordCreations;
  readonly #updates: RecordUpdates;
  readonly #deletions: RecordDeletions;
  readonly #batches: RecordBatches;
  readonly #pieces = new BatchPieces();
  readonly #list: ResourceList;
  readonly #history: ResourceHistory;
  readonly actions: ResourceActions;
  readonly archived: ArchivedRecords;
  readonly upserts: RecordUpserts;
  readonly trash: RecordTrash;
  readonly erasures: RecordErasures;
  readonly queries: ResourceQueries;
  readonly search: ResourceSearches;
  readonly imports: RecordImports;

  constructor(
    private readonly options: WriteServices & {
      objectTypes: ObjectTypeService;
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
    this.#batches = new RecordBatches(options, {
      creations: this.#creations,
      updates: this.#updates,
      deletions: this.#deletions,
    });
    this.#list = new ResourceList(options);
    this.#history = new ResourceHistory(options.cursors);
    this.archived = new ArchivedRecords(options);
    this.actions = new ResourceActions(this.#updates);
    this.upserts = new RecordUpserts(options, this.#creations, this.#updates);
    this.trash = new RecordTrash(options, this.#history);
    this.erasures = new RecordErasures(options, this.#deletions, options.onFilesReleased);
    this.queries = new ResourceQueries(options);
    this.search = new ResourceSearches(options);
    this.imports = new RecordImports(options, (work, scope, batch, within) =>
      this.#pieces.run(
        { work, workspaceId: scope.workspaceId, batch, isResumable: true },
        (piece) => this.#batches.run(work, scope, piece, undefined, within),
      ),
    );
  }

  /** Each item has its outcome; an atomic batch with a refused item is refused like that item. */
  readonly batch = {
    write: (
      work: Work,
      scope: DeletionScope,
      batch: Batch<BatchOperation>,
      remember?: (answer: BatchAnswer, facts: Facts) => void,
    ): Promise<BatchAnswer> =>
      this.#pieces.run(
        { work, workspaceId: scope.workspaceId, batch },
        (piece, keep) => this.#batches.run(work, scope, piece, keep),
        remember,
      ),
    create: (
      work: Work,
      scope: WriteScope,
      batch: Batch<JsonObject>,
      remember?: (answer: BatchAnswer, facts: Facts) => void,
    ): Promise<BatchAnswer> =>
      this.#pieces.run(
        { work, workspaceId: scope.workspaceId, batch },
        (piece, keep) => this.#creations.batch(work, scope, piece, keep),
        remember,
      ),
    /** The outcomes that {@link write} would have, piece by piece; nothing is written. */
    check: (work: Work, scope: DeletionScope, batch: Batch<BatchOperation>): Promise<BatchAnswer> =>
      this.#pieces.run({ work, workspaceId: scope.workspaceId, batch }, (piece) =>
        withoutWriting((within) => this.#batches.run(work, scope, piece, undefined, within)),
      ),
    update: (work: Work, scope: WriteScope, batch: Batch<BatchUpdateItem>): Promise<BatchAnswer> =>
      this.#pieces.run({ work, workspaceId: scope.workspaceId, batch }, (piece, keep) =>
        this.#updates.batch(work, scope, piece, keep),
      ),
    delete: (
      work: Work,
      scope: DeletionScope,
      batch: Batch<BatchDeletionItem>,
    ): Promise<BatchAnswer> =>
      this.#pieces.run({ work, workspaceId: scope.workspaceId, batch }, (piece, keep) =>
        this.#deletions.batch(work, scope, piece, keep),
      ),
  };

  /** `body` is the data, or `{ data }`; refuses 422 with a pointer to each fault, 409, 413. */
  create(
    work: Work,
    workspaceId: string,
    slug: string,
    body: JsonObject,
    /** Called with the answer in the transaction. */
    remember?: (made: MadeRecord, facts: Facts) => void,
  ): Promise<MadeRecord> {
    return this.#creations.single(work, { workspaceId, slug }, body, remember);
  }

  /** Writes a record that was checked under this revision of its type; else `Overtaken`. */
  insert(
    work: Work,
    under: { readonly workspaceId: string; readonly slug: string; readonly revision: number },
    write: RecordWrite & { readonly requestId: string | undefined },
  ): Promise<void> {
    return this.#creations.insert(work, under, write);
  }

  async get(work: Work, workspaceId: string, slug: string, id: string): Promise<Resource> {
    const { type, record } = await this.#stored(work, workspaceId, slug, id);
    return resourceOf(type, record);
  }

  /** The JSON text of {@link get}, or of some properties of its data. */
  getText(
    work: Work,
    workspaceId: string,
    slug: string,
    id: string,
    fields?: string,
  ): Promisable<{ version: number; text: string }> {
    const stored =
      fields === undefined
        ? this.#stored(work, workspaceId, slug, id)
        : this.#storedFields(work, { workspaceId, slug, id }, fields);
    return chained(stored, ({ type, record }) => ({
      version: record.version,
      text: resourceText(type, record),
    }));
  }

  /**
   * A record with its expansions, in its current version or in another one, which may be that of a
   * deleted record; 404 without it.
   */
  async getSelected(
    work: Work,
    { workspaceId, slug, id }: WriteScope & { readonly id: string },
    query: Wanted & { readonly version?: number | undefined },
    signal: AbortSignal,
  ): Promise<Resource> {
    const { objectTypes, answers } = this.options;
    const { version } = query;
    const resource = await readUnderType(work, objectTypes, workspaceId, slug, async (type) => {
      const selection = await selectionOf(objectTypes, work, [type], query, "query");
      const item =
        version === undefined
          ? await this.get(work, workspaceId, slug, id)
          : await this.#history.at(work, type, { id, version }, signal);
      return answers.during(workspaceId, (hold) =>
        selected(objectTypes, work, selection, [{ type, item }], { hold, signal, place: "query" }),
      );
    });
    const [only] = resource;
    if (only === undefined) throw new Refusal("not-found");
    return only;
  }

  /** The writes of a record, newest first, also of a deleted one. */
  async history(
    work: Work,
    { workspaceId, slug, id }: WriteScope & { readonly id: string },
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count">,
    signal: AbortSignal,
  ): Promise<ListBody<HistoryItem>> {
    const type = await requireReadable(work, this.options.objectTypes, workspaceId, slug);
    return this.#history.page(work, type, { id, query }, signal);
  }

  async list(
    work: Work,
    workspaceId: string,
    slug: string,
    query: ResourceListQuery,
    caller?: Caller,
  ): Promise<ListBody<Resource>> {
    return readUnderType(work, this.options.objectTypes, workspaceId, slug, (type) =>
      this.#list.page(work, type, query, caller),
    );
  }

  /** The JSON text of {@link list}, in pieces. */
  async listText(
    work: Work,
    workspaceId: string,
    slug: string,
    query: ResourceListQuery,
    caller: Caller,
  ): Promise<readonly string[]> {
    return readUnderType(work, this.options.objectTypes, workspaceId, slug, (type) =>
      this.#list.pageText(work, type, query, caller),
    );
  }

  /** Figures of records in groups; 422 with a pointer to each field that cannot be used so. */
  async aggregate(
    work: Work,
    { workspaceId, slug }: WriteScope,
    aggregation: Aggregation,
    signal: AbortSignal,
  ): Promise<AggregateAnswer> {
    const { objectTypes, slowFilters } = this.options;
    return readUnderType(work, objectTypes, workspaceId, slug, (type) =>
      aggregateOf(work, slowFilters, type, aggregation, signal),
    );
  }

  /** One page of a property's values with their counts; 422 for a field that has none. */
  async distinct(
    work: Work,
    { workspaceId, slug }: WriteScope,
    request: DistinctRequest,
    signal: AbortSignal,
  ): Promise<DistinctAnswer> {
    return readUnderType(work, this.options.objectTypes, workspaceId, slug, (type) =>
      distinctOf(work, this.options, type, request, signal),
    );
  }

  /** 412 for a stale `If-Match`; 409 with `changedFields` for a stale `version`. */
  update(work: Work, workspaceId: string, slug: string, update: RecordUpdate): Promise<Resource> {
    return this.#updates.single(work, { workspaceId, slug }, update, replacement);
  }

  /** The data is a JSON Merge Patch (RFC 7396); refuses like {@link update}. */
  patch(work: Work, workspaceId: string, slug: string, patch: RecordPatch): Promise<Resource> {
    return this.#updates.single(work, { workspaceId, slug }, patch, mergePatch);
  }

  /**
   * 404 without such a record, 412 for a stale `If-Match`, 409 for references that forbid it. The
   * refusal names records only if the caller may read them (`mayRead`).
   */
  delete(
    work: Work,
    workspaceId: string,
    slug: string,
    id: string,
    options: { readonly ifMatch?: VersionMatch | undefined; readonly mayRead?: boolean } = {},
  ): Promise<void> {
    const { ifMatch, mayRead = true } = options;
    return this.#deletions.single(work, { workspaceId, slug, mayRead }, { id, ifMatch });
  }

  /** Everything that the deletion of a record would do; 404 without it. */
  previewDeletion(
    work: Work,
    { workspaceId, slug, id }: WriteScope & { readonly id: string },
  ): Promise<DeletionPreview> {
    return this.#deletions.preview(work, { workspaceId, slug }, id);
  }

  /** The record as the caller may read it, for another domain. */
  findRecord(
    work: Work,
    workspaceId: string,
    slug: string,
    id: string,
  ): Promise<Resource | undefined> {
    return lookedUpRecord(work, this.options.objectTypes, { workspaceId, slug }, id);
  }

  /** The first 100 whole records of a filter, for another domain. */
  findRecords(
    work: Work,
    workspaceId: string,
    slug: string,
    where: JsonObject,
  ): Promise<readonly Resource[]> {
    return lookedUpRecords(work, this.options.objectTypes, { workspaceId, slug }, where);
  }

  #storedFields(
    work: Work,
    { workspaceId, slug, id }: WriteScope & { readonly id: string },
    fields: string,
  ): Promise<{ type: ReadableType; record: StoredRecord }> {
    const { objectTypes } = this.options;
    return readUnderType(work, objectTypes, workspaceId, slug, async (type) => {
      const { projection } = partOf([type], fields, "query");
      const record = await recordById(work.read, type, id, projection);
      if (record === undefined) throw new Refusal("not-found");
      return { type, record };
    });
  }

  #stored(
    work: Work,
    workspaceId: string,
    slug: string,
    id: string,
  ): Promisable<{ type: ReadableType; record: StoredRecord }> {
    return chained(requireReadable(work, this.options.objectTypes, workspaceId, slug), (type) =>
      chained(recordById(work.read, type, id), (record) => {
        if (record === undefined) throw new Refusal("not-found");
        return { type, record };
      }),
    );
  }
}

import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { AggregateAnswer, AggregateInput } from "#contract/resources/reads/aggregate.ts";
import type { DeletionPreview } from "#contract/resources/deletions.ts";
import type { DistinctAnswer } from "#contract/resources/reads/distinct.ts";
import type { SystemField } from "#contract/shared-names.ts";
import type { HistoryItem } from "#contract/resources/reads/history.ts";
import type { DeletedRecord } from "#contract/resources/restore.ts";
import type { SearchAnswer } from "#contract/resources/reads/search.ts";
import type { SearchMode } from "#contract/resources/reads/search-modes.ts";
import type { JsonObject } from "#contract/values.ts";
import { files } from "../files/files.ts";
import { cannotErase, requireTrash } from "../require-trash.ts";
import { batchVerbs, untyped, type PatchOf } from "./batches.ts";
import type {
  CallOptions,
  FixedListOptions,
  ListOptions,
  PageOptions,
  VersionOptions,
} from "../options.ts";
import { itemsOf, listInput, pagesOf } from "../pages.ts";
import {
  selectedItems,
  selectedPart,
  selectionInput,
  splitSelection,
  type FieldName,
  type PartOf,
  type OrderOptions,
  type SelectionOptions,
} from "./selection.ts";
import type { ClientCalls } from "../calls.ts";
import type {
  ActionOf,
  FilePropertyOf,
  NewRecordData,
  RecordData,
  SlugOf,
  TypedRecord,
  TypeSources,
  TypeWith,
} from "./typed-records.ts";

export interface UpsertOptions extends CallOptions {
  /** Replaces the stored data instead of merging into them (default false). */
  readonly replace?: boolean | undefined;
}

export interface DistinctOptions extends CallOptions {
  /** Counts only records that match this filter. */
  readonly where?: JsonObject | undefined;
  /** The most frequent value first (`count`, the default), or by `value`. */
  readonly order?: "count" | "value" | undefined;
  /** Values, 1 to 500 (default 20). */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** Options of a search of records. */
export interface SearchOptions extends CallOptions {
  /** `fulltext`, `vector` or both (default `hybrid`). */
  readonly mode?: SearchMode | undefined;
  /** Records, 1 to 100 (default 10). */
  readonly limit?: number | undefined;
  /** Searches only records that match this filter. */
  readonly where?: JsonObject | undefined;
}

/** Records of one Object Type: any JSON, or typed by its definition. */
export type Resources<
  Data = JsonObject,
  NewData = JsonObject,
  Action extends string = string,
  FileProperty extends string = string,
> = ReturnType<typeof resources<Data, NewData, Action, FileProperty>>;

/** Records of one of these types; any JSON if the types are not known. */
export type ResourcesOf<Types extends TypeSources, Slug extends SlugOf<Types>> =
  string extends SlugOf<Types>
    ? Resources
    : Resources<
        RecordData<TypeWith<Types, Slug>>,
        NewRecordData<TypeWith<Types, Slug>>,
        ActionOf<TypeWith<Types, Slug>>,
        FilePropertyOf<TypeWith<Types, Slug>>
      >;

/** The verbs of one Object Type, by its exact stored slug (spec 4.2, 2.3). */
export function resources<
  Data = JsonObject,
  NewData = JsonObject,
  Action extends string = string,
  FileProperty extends string = string,
>(client: ClientCalls, objectType: string) {
  const reads = readVerbs<Data>(client, objectType);
  return {
    ...reads,
    ...questionVerbs<Data>(client, objectType),
    ...writeVerbs<Data, NewData, Action>(client, objectType, reads.get),
    ...deletionVerbs<Data>(client, objectType),
    ...batchVerbs<Data, NewData>(client, objectType),
    ...files<FileProperty>(client, objectType),
  };
}

function readVerbs<Data>({ resources: calls }: ClientCalls, objectType: string) {
  const params = { objectType };
  const list = async <Name extends FieldName<Data>>({
    collation,
    ...options
  }: ListOptions & OrderOptions & SelectionOptions<Name> = {}): Promise<
    ListBody<TypedRecord<PartOf<Data, Name>>>
  > => {
    const { selection, call } = splitSelection(options);
    const { query, ...input } = listInput(call);
    const body = await calls.list({
      ...input,
      query: { ...query, collation, ...selectionInput(selection) },
      params,
    });
    return typed(selectedItems(body, "items", selection));
  };
  const pages = <Name extends FieldName<Data>>({
    collation,
    ...options
  }: PageOptions & OrderOptions & SelectionOptions<Name>) => {
    const { selection, call } = splitSelection(options);
    return pagesOf(async (page) => await list({ ...page, ...selection, collation }), call);
  };

  return {
    /** One page (default order: newest first; spec 4.2). */
    async list<const Name extends FieldName<Data> = FieldName<Data>>(
      options: ListOptions & OrderOptions & SelectionOptions<Name> = {},
    ): Promise<ListBody<TypedRecord<PartOf<Data, Name>>>> {
      return await list(options);
    },
    /** A record in its current version or in `version`. */
    async get<const Name extends FieldName<Data> = FieldName<Data>>(
      id: string,
      options: CallOptions &
        SelectionOptions<Name> & { readonly version?: number | undefined } = {},
    ): Promise<TypedRecord<PartOf<Data, Name>>> {
      const { selection, call } = splitSelection(options);
      const { version, ...input } = call;
      const query = { version, ...selectionInput(selection) };
      const record = await calls.get({ ...input, params: { objectType, id }, query });
      return typed(selectedPart(record, selection));
    },
    /** Every record, page by page. */
    all<const Name extends FieldName<Data> = FieldName<Data>>(
      options: PageOptions & OrderOptions & SelectionOptions<Name> = {},
    ): AsyncIterable<TypedRecord<PartOf<Data, Name>>> {
      return itemsOf(pages(options));
    },
    /** Every page, as `list` returns it. */
    pages<const Name extends FieldName<Data> = FieldName<Data>>(
      options: PageOptions & OrderOptions & SelectionOptions<Name> = {},
    ): AsyncIterable<ListBody<TypedRecord<PartOf<Data, Name>>>> {
      return pages(options);
    },
  };
}

/** The verbs whose answers are not pages of whole records. */
function questionVerbs<Data>({ resources: calls }: ClientCalls, objectType: string) {
  const params = { objectType };
  return {
    /** The writes of a record, newest first, also of a deleted one. */
    async history(id: string, options: FixedListOptions = {}): Promise<ListBody<HistoryItem>> {
      return await calls.history({ ...listInput(options), params: { objectType, id } });
    },
    /** Aggregates records in groups (spec 4.2). */
    async aggregate(input: AggregateInput, options: CallOptions = {}): Promise<AggregateAnswer> {
      return await calls.aggregate({ ...options, params, body: input });
    },
    /** The values of a property with the number of records that have each, one page. */
    async distinct(
      property: FieldName<Data> | SystemField,
      options: DistinctOptions = {},
    ): Promise<DistinctAnswer> {
      const { where, order, limit, cursor, ...call } = options;
      const body = { property, where, order, limit, cursor };
      return await calls.distinct({ ...call, params, body });
    },
    /** Records of the type that match a text, best first (spec 4.2). */
    async search(
      query: string,
      options: SearchOptions & SelectionOptions = {},
    ): Promise<SearchAnswer> {
      const { selection, call: given } = splitSelection(options);
      const { mode, limit, where, ...call } = given;
      const named = selectionInput(selection);
      const body = { query, types: [objectType], mode, limit, where, ...named };
      const answer = await calls.search({ ...call, body });
      return selectedItems(answer, "results", selection);
    },
  };
}

function writeVerbs<Data, NewData, Action extends string>(
  { resources: calls }: ClientCalls,
  objectType: string,
  get: (id: string, options: CallOptions) => Promise<{ readonly version: number }>,
) {
  return {
    /** Creates a record; its `Idempotency-Key` makes retries safe. */
    async create(data: NewData, options: CallOptions = {}): Promise<TypedRecord<Data>> {
      return typed(await calls.create({ ...options, params: { objectType }, body: untyped(data) }));
    },
    /** Replaces the data; without `version` it first gets the current version (spec 4.7). */
    async update(id: string, data: Data, options: VersionOptions = {}): Promise<TypedRecord<Data>> {
      const { version, ...call } = options;
      const current = version ?? (await get(id, call)).version;
      const body = { data: untyped(data), version: current };
      return typed(await calls.update({ ...call, params: { objectType, id }, body }));
    },
    /** Changes the given properties by a JSON Merge Patch (RFC 7396); `null` removes one. */
    async patch(
      id: string,
      changes: PatchOf<Data>,
      options: VersionOptions = {},
    ): Promise<TypedRecord<Data>> {
      const { version, ...call } = options;
      const input = { ...call, params: { objectType, id } };
      const data = untyped(changes);
      try {
        return typed(await calls.patch({ ...input, body: { data, version } }));
      } catch (error) {
        const { updatedInstead } = await import("./patch-by-update.ts");
        return typed(await updatedInstead(calls, input, { data, version }, error));
      }
    },
    /**
     * Creates a record, or changes the one with this value of a unique property: it merges the data
     * into the stored ones, or replaces those with `replace`.
     */
    async upsert(
      property: Extract<keyof Data, string>,
      value: string | number | boolean,
      data: PatchOf<Data>,
      options: UpsertOptions = {},
    ): Promise<TypedRecord<Data>> {
      const { replace, ...call } = options;
      const params = { objectType, property, value: String(value) };
      const body = { data: untyped(data), ...(replace === true && { replace }) };
      return typed(await calls.upsert({ ...call, params, body }));
    },
    /** Executes an action of the Object Type; returns the changed record (spec 4.2). */
    async execute(
      id: string,
      action: Action,
      parameters: JsonObject = {},
      options: VersionOptions = {},
    ): Promise<TypedRecord<Data>> {
      const { version, ...call } = options;
      const body = { parameters, version };
      return typed(
        await calls.executeAction({ ...call, params: { objectType, id, action }, body }),
      );
    },
  };
}

function deletionVerbs<Data>({ resources: calls }: ClientCalls, objectType: string) {
  const params = { objectType };
  return {
    /**
     * Deletes a record with its files; its history stays. E205 when references from other records
     * forbid it; `deletionOf` returns everything that it would do.
     */
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      await calls.delete({ ...options, params: { objectType, id } });
    },
    /**
     * Erases a record for good, with its history, files and what its deletion deletes; also one
     * that is already deleted. Needs a tenant-admin. E205 when references forbid it.
     */
    async erase(id: string, options: CallOptions = {}): Promise<void> {
      const { idempotencyKey: _key, ...read } = options;
      const look = () => calls.deleted({ ...read, params: { objectType }, query: { limit: 1 } });
      await requireTrash(look, cannotErase);
      const query = { permanent: "true" } as const;
      await calls.delete({ ...options, params: { objectType, id }, query });
    },
    /** The records that a deletion would delete and change, or that forbid it; it does nothing. */
    async deletionOf(id: string, options: CallOptions = {}): Promise<DeletionPreview> {
      return await calls.deletion({ ...options, params: { objectType, id } });
    },
    /** Deleted records that can be restored, newest first, with their last data. */
    async deleted(options: FixedListOptions = {}): Promise<ListBody<DeletedRecord>> {
      return await calls.deleted({ ...listInput(options), params });
    },
    /**
     * Brings back a deleted record with its id and files, and what its deletion has deleted and
     * cleared; or with `version` the state of that version. E205 lists what prevents it.
     */
    async restore(
      id: string,
      options: CallOptions & { readonly version?: number | undefined } = {},
    ): Promise<TypedRecord<Data>> {
      const { version, ...call } = options;
      const input = { ...call, params: { objectType, id }, body: { version } };
      return typed(await calls.restore(input));
    },
  };
}

/** Records as the caller's Object Types describe them; nothing checks them against a definition. */
function typed<Data>(answer: Resource): TypedRecord<Data>;
function typed<Data>(answer: ListBody<Resource>): ListBody<TypedRecord<Data>>;
function typed(answer: unknown): unknown {
  return answer;
}

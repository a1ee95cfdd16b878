import type { ListBody } from "#contract/lists.ts";
import type { AggregateAnswer, AggregateInput } from "#contract/resources/aggregate.ts";
import type { BatchAnswer, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { FileLink, UploadedFile } from "#contract/resources/files.ts";
import type { HistoryItem } from "#contract/resources/history.ts";
import type { SearchAnswer } from "#contract/resources/search.ts";
import type { SearchMode } from "#contract/resources/search-modes.ts";
import type { JsonObject } from "#contract/values.ts";
import type { ByteSource, CallOptions, ProgressListener } from "../options.ts";
import type {
  ActionOf,
  FilePropertyOf,
  NewRecordData,
  RecordData,
  SlugOf,
  TypedRecord,
  TypeSources,
  TypeWith,
} from "../typed-records.ts";
import type { StoredContent } from "./content.ts";
import type { FixedListOptions, ListOptions, PageOptions } from "./lists.ts";

/** Options of a write that is guarded by the record's version. */
export interface VersionOptions extends CallOptions {
  /** E205 with `problem.currentVersion` if it is not the current version. */
  readonly version?: number | undefined;
}

/** Options of a batch. */
export interface BatchOptions extends CallOptions {
  /** All items or none: one refused item rejects the call (default false). */
  readonly atomic?: boolean | undefined;
}

/** Options of a search. */
export interface SearchOptions extends CallOptions {
  /** `fulltext`, `vector` or both (default `hybrid`). */
  readonly mode?: SearchMode | undefined;
  /** Records, 1 to 100 (default 10). */
  readonly limit?: number | undefined;
  /** Searches only records that match this filter. */
  readonly where?: JsonObject | undefined;
}

/** Records of one Object Type: any JSON, or typed by its definition. */
export interface Resources<
  Data = JsonObject,
  NewData = JsonObject,
  Action extends string = string,
  FileProperty extends string = string,
> {
  /** One page (default order: newest first; spec 4.2). */
  list(options?: ListOptions): Promise<ListBody<TypedRecord<Data>>>;
  /** A record in its current version or in `version`. */
  get(
    id: string,
    options?: CallOptions & { readonly version?: number | undefined },
  ): Promise<TypedRecord<Data>>;
  /** The writes of a record, newest first, also of a deleted one. */
  history(id: string, options?: FixedListOptions): Promise<ListBody<HistoryItem>>;
  /** Creates a record; its `Idempotency-Key` makes retries safe. */
  create(data: NewData, options?: CallOptions): Promise<TypedRecord<Data>>;
  /** Replaces the data; without `version` it first gets the current version (spec 4.7). */
  update(id: string, data: Data, options?: VersionOptions): Promise<TypedRecord<Data>>;
  /** Deletes a record with its files; its history stays. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Creates up to 1,000 records, with a separate outcome for each; `atomic`: all or none. */
  batchCreate(items: readonly NewData[], options?: BatchOptions): Promise<BatchAnswer>;
  /** As `batchCreate`; each item has the version that its data is based on. */
  batchUpdate(
    items: readonly (Omit<BatchUpdateItem, "data"> & { readonly data: Data })[],
    options?: BatchOptions,
  ): Promise<BatchAnswer>;
  /** As `batchCreate`. */
  batchDelete(ids: readonly string[], options?: BatchOptions): Promise<BatchAnswer>;
  /** Executes an action of the Object Type; returns the changed record (spec 4.2). */
  execute(
    id: string,
    action: Action,
    parameters?: JsonObject,
    options?: VersionOptions,
  ): Promise<TypedRecord<Data>>;
  /** Aggregates records in groups (spec 4.2). */
  aggregate(input: AggregateInput, options?: CallOptions): Promise<AggregateAnswer>;
  /**
   * Uploads the file of a property, replacing the one before (spec 4.2). It is streamed, so it is
   * never retried. Throws E203 if the platform's digest is not that of the sent bytes.
   */
  uploadFile(
    id: string,
    propertyName: FileProperty,
    file: FileSource,
    options?: FileUploadOptions,
  ): Promise<UploadedFile>;
  /** The file's bytes, checked by length and digest; resumes after a broken connection. */
  downloadFile(
    id: string,
    propertyName: FileProperty,
    options?: CallOptions,
  ): Promise<StoredContent>;
  /** A URL that reads the file without a token, for at most 15 minutes. */
  fileUrl(id: string, propertyName: FileProperty, options?: CallOptions): Promise<FileLink>;
  /** Removes the file from its property, as a new version of the record. */
  deleteFile(id: string, propertyName: FileProperty, options?: VersionOptions): Promise<void>;
  /** Records of the type that match a text, best first (spec 4.2). */
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Every record, page by page. */
  all(options?: PageOptions): AsyncIterable<TypedRecord<Data>>;
  /** Every page, as `list` returns it. */
  pages(options?: PageOptions): AsyncIterable<ListBody<TypedRecord<Data>>>;
}

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

/** A file to upload: `Bun.file(path)`, a `File` or `Blob`, a custom object, or a stream. */
export type FileSource =
  | (ByteSource & { readonly name?: string | undefined; readonly type?: string | undefined })
  | ReadableStream<Uint8Array>;

/** Options of a file upload. */
export interface FileUploadOptions extends VersionOptions {
  /** Default: the source's name; E303 if it has none. */
  readonly filename?: string | undefined;
  /** Default: the source's type, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

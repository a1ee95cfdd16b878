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

/** A write that holds only while the record is in the version that its author has seen. */
export interface VersionOptions extends CallOptions {
  /** E205 with `problem.currentVersion` when it is another one by now. */
  readonly version?: number | undefined;
}

/** How a batch is taken. */
export interface BatchOptions extends CallOptions {
  /** All of the items or none: one that is refused rejects the call (default false). */
  readonly atomic?: boolean | undefined;
}

/** How a search looks, and how much it gives. */
export interface SearchOptions extends CallOptions {
  /** `fulltext`, `vector` or both (default `hybrid`). */
  readonly mode?: SearchMode | undefined;
  /** Records, 1 to 100 (default 10). */
  readonly limit?: number | undefined;
  /** Only among the records that fit. */
  readonly where?: JsonObject | undefined;
}

/**
 * Records of one Object Type: as any JSON, or with the types that its definition gives them
 * (`createClient<typeof objectTypes>`).
 */
export interface Resources<
  Data = JsonObject,
  NewData = JsonObject,
  Action extends string = string,
  FileProperty extends string = string,
> {
  /** One page, the newest first by default (spec 4.2). */
  list(options?: ListOptions): Promise<ListBody<TypedRecord<Data>>>;
  /** A record as it is, or as it stood in a version. */
  get(
    id: string,
    options?: CallOptions & { readonly version?: number | undefined },
  ): Promise<TypedRecord<Data>>;
  /** What was written to a record, newest first, also to one that is deleted by now. */
  history(id: string, options?: FixedListOptions): Promise<ListBody<HistoryItem>>;
  /** Creates a record once, however often the line breaks: the call has an `Idempotency-Key`. */
  create(data: NewData, options?: CallOptions): Promise<TypedRecord<Data>>;
  /** Replaces the data; without `version` the current one is fetched first (spec 4.7). */
  update(id: string, data: Data, options?: VersionOptions): Promise<TypedRecord<Data>>;
  /** Deletes a record with its files; its history stays. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Up to 1,000 records, each with an outcome of its own; `atomic`: all of them or none. */
  batchCreate(items: readonly NewData[], options?: BatchOptions): Promise<BatchAnswer>;
  /** As `batchCreate`; each item has the version that its change was made from. */
  batchUpdate(
    items: readonly (Omit<BatchUpdateItem, "data"> & { readonly data: Data })[],
    options?: BatchOptions,
  ): Promise<BatchAnswer>;
  /** As `batchCreate`. */
  batchDelete(ids: readonly string[], options?: BatchOptions): Promise<BatchAnswer>;
  /** Executes an action of the Object Type; the record as it is then (spec 4.2). */
  execute(
    id: string,
    action: Action,
    parameters?: JsonObject,
    options?: VersionOptions,
  ): Promise<TypedRecord<Data>>;
  /** Figures of records in groups (spec 4.2). */
  aggregate(wanted: AggregateInput, options?: CallOptions): Promise<AggregateAnswer>;
  /**
   * Puts a file on a property, in place of the one before it (spec 4.2). It is sent once, as it is
   * read; the platform's digest is held to that of what was sent.
   */
  uploadFile(
    id: string,
    propertyName: FileProperty,
    file: FileSource,
    options?: FileUploadOptions,
  ): Promise<UploadedFile>;
  /**
   * The file's bytes, checked against their length and digest while they are read; a line that breaks
   * is taken up where it broke.
   */
  downloadFile(
    id: string,
    propertyName: FileProperty,
    options?: CallOptions,
  ): Promise<StoredContent>;
  /** A URL that reads the file without a token, for at most 15 minutes. */
  fileUrl(id: string, propertyName: FileProperty, options?: CallOptions): Promise<FileLink>;
  /** Takes the file off its property, as a new version of the record. */
  deleteFile(id: string, propertyName: FileProperty, options?: VersionOptions): Promise<void>;
  /** Records of the type that a text finds, best first; `mode` is hybrid by default (spec 4.2). */
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Every record, page after page by cursor; stops when the loop is left. */
  all(options?: PageOptions): AsyncIterable<TypedRecord<Data>>;
  /** Every page, as `list` gives it. */
  pages(options?: PageOptions): AsyncIterable<ListBody<TypedRecord<Data>>>;
}

/** Records of one of these types; of any JSON where the types are not known. */
export type ResourcesOf<Types extends TypeSources, Slug extends SlugOf<Types>> =
  string extends SlugOf<Types>
    ? Resources
    : Resources<
        RecordData<TypeWith<Types, Slug>>,
        NewRecordData<TypeWith<Types, Slug>>,
        ActionOf<TypeWith<Types, Slug>>,
        FilePropertyOf<TypeWith<Types, Slug>>
      >;

/** A file to upload: `Bun.file(path)`, a `File` or `Blob`, one's own, or a stream of any length. */
export type FileSource =
  | (ByteSource & { readonly name?: string | undefined; readonly type?: string | undefined })
  | ReadableStream<Uint8Array>;

/** What a file is called, and the version that it is put on. */
export interface FileUploadOptions extends VersionOptions {
  /** Default: the source's own name; E303 where it has none. */
  readonly filename?: string | undefined;
  /** Default: the source's own type, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

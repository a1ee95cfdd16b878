import type { ChatReply, Citation } from "#contract/chat.ts";
import type {
  DocumentJob,
  DocumentPage,
  DocumentRecord,
  ProcessingMode,
  UploadAccepted,
} from "#contract/documents.ts";
import type { CatalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { AggregateAnswer, AggregateInput } from "#contract/resources/aggregate.ts";
import type { BatchAnswer, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { FileLink, UploadedFile } from "#contract/resources/files.ts";
import type { HistoryItem } from "#contract/resources/history.ts";
import type { SearchAnswer } from "#contract/resources/search.ts";
import type { SearchMode } from "#contract/resources/search-modes.ts";
import type { JsonObject } from "#contract/values.ts";
import type { ContractCalls } from "./calls.ts";
import type {
  ActionOf,
  NewRecordData,
  RecordData,
  SlugOf,
  TypedRecord,
  TypeSources,
  TypeWith,
} from "./typed-records.ts";
import type { ByteSource, CallOptions, ProgressListener, UploadFile } from "./options.ts";

/**
 * The client's whole surface, as types; the modules beside this one fill it.
 *
 * Whatever fails is a `CatalogError` (spec 7.1): E101 to E104 without a good sign-in, E201 when no
 * answer came, E202 for what is not there or not the caller's, E204 without the role, E205 for a
 * conflict, E302 with `problem.errors` for invalid data, E303 to E305 for input that is refused before
 * anything is sent, E203 for the rest. A refusal by the platform is a `PlatformError`, with `status`. An
 * aborted call rejects with the signal's own reason.
 */

/** What {@link Client.request} takes beside method and path. */
export interface RequestOptions extends CallOptions {
  /** Query parameters, in order; names may repeat. */
  readonly query?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly body?: string | Uint8Array | ByteSource | undefined;
  /** Default `application/json` where there is a body. */
  readonly contentType?: string | undefined;
}

/** Records of one of these types; of any JSON where the types are not known. */
export type ResourcesOf<Types extends TypeSources, Slug extends SlugOf<Types>> =
  string extends SlugOf<Types>
    ? Resources
    : Resources<
        RecordData<TypeWith<Types, Slug>>,
        NewRecordData<TypeWith<Types, Slug>>,
        ActionOf<TypeWith<Types, Slug>>
      >;

/** `Types`: the Object Types that `useResources` knows, e.g. `typeof objectTypes`. */
export interface Client<Types extends TypeSources = TypeSources> extends ContractCalls {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Workspace (UUID) of calls that name none. */
  readonly tenantId: string | undefined;
  /** The same client for another workspace; connections and retry budget are shared. */
  forTenant(tenantId: string): Client<Types>;
  /**
   * Any v4 route, untyped (spec 4.7 `publicapi`). The path must start with `/v4/` and be in normal
   * form, else E305 before any network call. The response comes back with the status it has,
   * unread; `errorFromResponse` makes the error of one that is no success.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** Documents of a workspace (spec 4.1); default: the client's. */
  useDocuments(tenantId?: string): Documents;
  /** Records of one Object Type, by its exact stored slug (spec 4.2). */
  useResources<const Slug extends SlugOf<Types>>(
    objectType: Slug,
    options?: { readonly tenantId?: string | undefined },
  ): ResourcesOf<Types, Slug>;
  /** Chat with a workflow; `stage` defaults to `chat` (spec 4.5). */
  useChat(
    workflowId: string,
    options?: { readonly stage?: string | undefined; readonly tenantId?: string | undefined },
  ): Chat;
}

/** Page, order, filter: the list conventions of the v4 interface. */
export interface ListOptions extends CallOptions {
  /** From 1 (default 1); instead of `cursor`. */
  readonly page?: number | undefined;
  /** Items a page, 1 to 500 (default 20). */
  readonly limit?: number | undefined;
  /** Field names with commas between them, `-` first for descending (default `-created_at`). */
  readonly sort?: string | undefined;
  /** Filter with the meaning of MongoDB's query, as an object or as JSON text. */
  readonly where?: string | JsonObject | undefined;
  /** `nextCursor` of the page before: good for the same `sort` and `where` only. */
  readonly cursor?: string | undefined;
  /** Whether the answer says how many there are in `total` (default false). */
  readonly count?: boolean | undefined;
}

/** Pages of a list whose order is fixed. */
export type FixedListOptions = Omit<ListOptions, "sort" | "where">;

/** A write that holds only while the record is in the version that its author has seen. */
export interface VersionOptions extends CallOptions {
  /** E205 with `problem.currentVersion` when it is another one by now. */
  readonly version?: number | undefined;
}

/** How an iterator reads a list: `where` and `sort` as in {@link ListOptions}. */
export interface PageOptions extends CallOptions {
  readonly where?: ListOptions["where"];
  readonly sort?: ListOptions["sort"];
  /** Where to begin: `nextCursor` of a page. */
  readonly cursor?: string | undefined;
  /** Items a request, 1 to 500 (default 100); a function is asked before each request. */
  readonly pageSize?: number | (() => number) | undefined;
  /** Fetches a page while the caller has the one before (default false). */
  readonly readAhead?: boolean | undefined;
}

export interface BatchOptions extends CallOptions {
  /** All of the items or none: one that is refused rejects the call (default false). */
  readonly atomic?: boolean | undefined;
}

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
    propertyName: string,
    file: FileSource,
    options?: FileUploadOptions,
  ): Promise<UploadedFile>;
  /**
   * The file's bytes, checked against their length and digest while they are read; a line that breaks
   * is taken up where it broke.
   */
  downloadFile(id: string, propertyName: string, options?: CallOptions): Promise<StoredContent>;
  /** A URL that reads the file without a token, for at most 15 minutes. */
  fileUrl(id: string, propertyName: string, options?: CallOptions): Promise<FileLink>;
  /** Takes the file off its property, as a new version of the record. */
  deleteFile(id: string, propertyName: string, options?: VersionOptions): Promise<void>;
  /** Records of the type that a text finds, best first; `mode` is hybrid by default (spec 4.2). */
  search(query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Every record, page after page by cursor; stops when the loop is left. */
  all(options?: PageOptions): AsyncIterable<TypedRecord<Data>>;
  /** Every page, as `list` gives it. */
  pages(options?: PageOptions): AsyncIterable<ListBody<TypedRecord<Data>>>;
}

/** A file to upload: `Bun.file(path)`, a `File` or `Blob`, one's own, or a stream of any length. */
export type FileSource =
  | (ByteSource & { readonly name?: string | undefined; readonly type?: string | undefined })
  | ReadableStream<Uint8Array>;

export interface FileUploadOptions extends VersionOptions {
  /** Default: the source's own name; E303 where it has none. */
  readonly filename?: string | undefined;
  /** Default: the source's own type, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** Context and metadata of an upload, in either spelling (spec 2.5); others are refused. */
export interface UploadMetadata {
  readonly planningApplicationId?: string | undefined;
  readonly planning_application_id?: string | undefined;
  readonly businessRequestId?: string | undefined;
  readonly business_request_id?: string | undefined;
  readonly assessCaseId?: string | undefined;
  readonly assess_case_id?: string | undefined;
  readonly verticalKey?: string | undefined;
  readonly vertical_key?: string | undefined;
  readonly appKey?: string | undefined;
  readonly app_key?: string | undefined;
  readonly workflowKey?: string | undefined;
  readonly workflow_key?: string | undefined;
  readonly processingMode?: ProcessingMode | undefined;
  readonly processing_mode?: ProcessingMode | undefined;
  readonly storageTarget?: string | undefined;
  readonly storage_target?: string | undefined;
  /** The string metadata names of spec 2.5, as they are or in camelCase. */
  readonly [metadata: string]: string | undefined;
}

export interface UploadOptions extends CallOptions {
  readonly onProgress?: ProgressListener | undefined;
}

/** 202 as it came: acceptance, not success (spec 4.1 rule 10). */
export interface UploadOutcome {
  /** The original response; its body is unread, also after `accepted()`. */
  readonly response: Response;
  readonly status: number;
  /** The job payload, read from a copy. */
  accepted(): Promise<UploadAccepted>;
}

export interface WaitOptions extends CallOptions {
  /** How long to wait for the job's end (default 300,000); each poll has its own limit. */
  readonly waitMs?: number | undefined;
  /** Called with the first state and with each that differs from the one before. */
  readonly onChange?: ((job: DocumentJob) => void) | undefined;
  /** Called when the platform can't be asked; the wait goes on. */
  readonly onOutage?: ((error: CatalogError) => void) | undefined;
}

/** `pending`: the wait ended first; the job goes on, and nothing is ever uploaded again. */
export interface WaitOutcome {
  readonly outcome: "succeeded" | "completed_with_errors" | "failed" | "cancelled" | "pending";
  /** The last state that was seen; absent only where none could be read. */
  readonly job: DocumentJob | undefined;
}

/** Content that is checked while it is read. */
export interface StoredContent {
  /** As the platform says it: text from outside, and no path. */
  readonly filename: string | undefined;
  readonly contentType: string;
  /** Bytes in all, where the platform says. */
  readonly size: number | undefined;
  /** In hexadecimal, where the platform says. */
  readonly sha256: string | undefined;
  /** The answer itself; its body is what `chunks` reads. */
  readonly response: Response;
  /** The bytes, once; throws E203 at their end when length or digest is another one. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Documents of a workspace, by bare number (`DOC-…`) or UUID (spec 4.1). */
export interface Documents {
  /** One request; `processing_mode` defaults to `full`. All refusals come before any file is opened. */
  upload(
    files: UploadFile | readonly UploadFile[],
    metadata?: UploadMetadata,
    options?: UploadOptions,
  ): Promise<UploadOutcome>;
  /** `upload` with `processing_mode=classification`; another mode in the metadata is refused. */
  classify(
    files: UploadFile | readonly UploadFile[],
    metadata?: UploadMetadata,
    options?: UploadOptions,
  ): Promise<UploadOutcome>;
  /** A job as it is now; E202 once its tracker has expired. */
  job(jobId: string, options?: CallOptions): Promise<DocumentJob>;
  /** The workspace's jobs, the newest first. */
  jobs(options?: FixedListOptions): Promise<ListBody<DocumentJob>>;
  /** Follows a job to its end, through outages; it only reads (spec 4.7 rule 6). */
  waitForJob(jobId: string, options?: WaitOptions): Promise<WaitOutcome>;
  /** Starts a job that has ended without success once more, from its last good stage. */
  retryJob(jobId: string, options?: CallOptions): Promise<DocumentJob>;
  /** Stops a job that has not ended; E205 for one that has. */
  cancelJob(jobId: string, options?: CallOptions): Promise<DocumentJob>;
  /** One page of the workspace's documents, the newest first by default. */
  list(options?: ListOptions): Promise<ListBody<DocumentRecord>>;
  /** By bare number or UUID; `jobId` is a lookup cross-check only. */
  record(
    documentId: string,
    options?: CallOptions & { readonly jobId?: string | undefined },
  ): Promise<DocumentRecord>;
  /** The original bytes; `expected` adds what the caller knows of them, e.g. from the record. */
  content(
    documentId: string,
    options?: CallOptions & {
      readonly expected?: { readonly size?: number; readonly sha256?: string } | undefined;
    },
  ): Promise<StoredContent>;
  /** The text of a page, from 1. */
  page(documentId: string, page: number, options?: CallOptions): Promise<DocumentPage>;
  /** Removes the file and its analysis; a receipt that is not complete is an error (spec 4.1 rule 9). */
  delete(documentId: string, options?: CallOptions): Promise<DeletionReceipt>;
}

/** What a deletion has removed; counts, or whether. */
export interface DeletionReceipt {
  documentId?: string | undefined;
  removed?: Record<string, boolean | number> | undefined;
  complete?: boolean | undefined;
  [name: string]: unknown;
}

export interface ChatOptions extends CallOptions {
  /** UUID; a fresh one is made when absent (spec 2.10). */
  readonly conversationId?: string | undefined;
  /** Structured values for the workflow, e.g. `documentIds` (spec 2.10). */
  readonly params?: JsonObject | undefined;
  /** As `params`; travels as `runtime_context`. */
  readonly runtimeContext?: JsonObject | undefined;
  /** Longest silence of a stream before it counts as broken (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
}

/** A source that an answer names, beside the passages that it cites. */
export interface ChatSource {
  readonly id: string;
  readonly title: string | undefined;
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
}

/** What a stream says, whichever dialect the deployment speaks. The last event is always `finish`. */
export type ChatStreamEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "source"; readonly source: ChatSource }
  | { readonly type: "error"; readonly error: CatalogError }
  | { readonly type: "unknown"; readonly name: string; readonly value: unknown }
  | ({ readonly type: "finish" } & ChatFinish);

/** How a stream ended. */
export interface ChatFinish {
  /** True only after `[DONE]`, with no error and no abort: anything else is a part of an answer. */
  readonly complete: boolean;
  readonly reason: "done" | "incomplete" | "aborted" | "error";
  readonly finishReason: string | undefined;
  readonly conversationId: string;
  readonly model: string | undefined;
  readonly messageId: string | undefined;
}

/** An answer as it is written; it can be read once. */
export interface ChatStream extends AsyncIterable<ChatStreamEvent> {
  readonly conversationId: string;
}

/** Chat with one stage of a workflow (spec 4.5). */
export interface Chat {
  /** One reply, with its citations. Sent once: a model may have answered when the line breaks. */
  send(message: string, options?: ChatOptions): Promise<ChatReply>;
  /**
   * Starts with the first `next()`: a request that is refused throws there. A stream that breaks off
   * gives an `error` event and `finish` with `complete: false`; it is never sent again by itself.
   */
  stream(message: string, options?: ChatOptions): ChatStream;
}

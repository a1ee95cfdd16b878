import type { UrlAnalysis } from "#contract/documents/analysis.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { DocumentSearchAnswer } from "#contract/documents/search.ts";
import type { SearchMode } from "#contract/resources/search-modes.ts";
import type { JsonObject } from "#contract/values.ts";
import type {
  DeletionReceipt,
  DocumentPage,
  DocumentRecord,
  DocumentTable,
} from "#contract/documents/records.ts";
import type { DocumentHistoryEntry, DocumentReview } from "#contract/reviews.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import type { ProcessingMode } from "#contract/documents/upload-metadata.ts";
import type { CatalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { CallOptions, NamedFile, ProgressListener, UploadFile } from "../options.ts";
import type { StoredContent } from "./content.ts";
import type { FixedListOptions, ListOptions } from "./lists.ts";

/** Context and metadata of an upload, in either spelling (spec 2.5); other names are refused. */
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
  /** The metadata names of spec 2.5, in snake_case or camelCase. */
  readonly [metadata: string]: string | undefined;
}

/** A file to upload. */
export type DocumentFile = UploadFile | NamedFile;

/** Options of an upload. */
export interface UploadOptions extends CallOptions {
  readonly onProgress?: ProgressListener | undefined;
}

/** The response to an upload: 202 is acceptance, not success (spec 4.1 rule 10). */
export interface UploadOutcome {
  /** Its body is unread, also after `accepted()`. */
  readonly response: Response;
  readonly status: number;
  /** The job payload, read from a copy of the response. */
  accepted(): Promise<UploadAccepted>;
}

/** Options of a wait for a job. */
export interface WaitOptions extends CallOptions {
  /** Longest wait (default 300,000, at most 24 days); each poll also has `timeoutMs`. */
  readonly waitMs?: number | undefined;
  /** Called with the first state and with each changed state. */
  readonly onChange?: ((job: DocumentJob) => void) | undefined;
  /** Called when a request fails temporarily; the wait continues. */
  readonly onOutage?: ((error: CatalogError) => void) | undefined;
}

/**
 * The end of a wait; `pending`: the wait ended before the job was in a known end state. States are
 * compared without regard to case, `-`, `_` and blanks; a failed stage fails the job.
 */
export interface WaitOutcome {
  readonly outcome: "succeeded" | "completed_with_errors" | "failed" | "cancelled" | "pending";
  /** The last known state; undefined only if none could be read. */
  readonly job: DocumentJob | undefined;
}

/** Options of a list of reviews. */
export interface ReviewListOptions extends FixedListOptions {
  /** Default `open`. */
  readonly status?: "open" | "accepted" | "corrected" | undefined;
  /** Only reviews of this document. */
  readonly documentId?: string | undefined;
}

/** Options of a decision about a label or a field. */
export interface ReviewOptions extends CallOptions {
  /** The version of the document that was looked at; E205 when it is not current. */
  readonly version?: number | undefined;
}

/** Options of a document search. */
export interface DocumentSearchOptions extends CallOptions {
  /** Default `hybrid`. */
  readonly mode?: SearchMode | undefined;
  /** Passages, 1 to 100 (default 10). */
  readonly limit?: number | undefined;
  /** Filter on documents, as in a list; `fields.<name>` is an extracted value. */
  readonly where?: string | JsonObject | undefined;
  /** Passages of one document, 1 to 100 (default 3). */
  readonly perDocument?: number | undefined;
}

/**
 * The calls of {@link Documents} with the original response, unread and with any status (spec 4.1
 * rule 10). `upload` and `classify` always return theirs.
 */
export interface DocumentResponses {
  job(jobId: string, options?: CallOptions): Promise<Response>;
  jobs(options?: FixedListOptions): Promise<Response>;
  retryJob(jobId: string, options?: CallOptions): Promise<Response>;
  cancelJob(jobId: string, options?: CallOptions): Promise<Response>;
  /** `storagePath`: a cross-check with the document's record. */
  ragIndex(
    documentId: string,
    options?: CallOptions & { readonly storagePath?: string | undefined },
  ): Promise<Response>;
  classifyByUrl(url: string, options?: CallOptions): Promise<Response>;
  list(options?: ListOptions): Promise<Response>;
  record(documentId: string, options?: CallOptions): Promise<Response>;
  content(documentId: string, options?: CallOptions): Promise<Response>;
  page(documentId: string, page: number, options?: PageReadOptions): Promise<Response>;
  tables(documentId: string, options?: TableListOptions): Promise<Response>;
  delete(documentId: string, options?: CallOptions): Promise<Response>;
  search(query: string, options?: DocumentSearchOptions): Promise<Response>;
  reviews(options?: ReviewListOptions): Promise<Response>;
  reviewHistory(documentId: string, options?: FixedListOptions): Promise<Response>;
}

/** Options of one page: `words` asks for the places of its words. */
export type PageReadOptions = CallOptions & { readonly words?: boolean | undefined };

/** Options of a document's tables: the list's, and the page that they are on. */
export type TableListOptions = FixedListOptions & { readonly ofPage?: number | undefined };

/** Documents of a workspace, by bare number (`DOC-…`) or UUID (spec 4.1). */
export interface Documents {
  /** The same calls with their unread responses. */
  readonly responses: DocumentResponses;
  /** Sends one request; `processing_mode` defaults to `full`. Input is checked first. */
  upload(
    files: DocumentFile | Iterable<DocumentFile>,
    metadata?: UploadMetadata,
    options?: UploadOptions,
  ): Promise<UploadOutcome>;
  /** `upload` with `processing_mode=classification`. */
  classify(
    files: DocumentFile | Iterable<DocumentFile>,
    metadata?: UploadMetadata,
    options?: UploadOptions,
  ): Promise<UploadOutcome>;
  /** The current state of a job; E202 after its tracker has expired. */
  job(jobId: string, options?: CallOptions): Promise<DocumentJob>;
  /** One page of the workspace's jobs, newest first. */
  jobs(options?: FixedListOptions): Promise<ListBody<DocumentJob>>;
  /** Follows a job to its end, also after outages; it only reads (spec 4.7 rule 6). */
  waitForJob(jobId: string, options?: WaitOptions): Promise<WaitOutcome>;
  /** Runs a job that ended without success again from its last good stage. */
  retryJob(jobId: string, options?: CallOptions): Promise<DocumentJob>;
  /** Stops a running job; E205 for one that has ended. */
  cancelJob(jobId: string, options?: CallOptions): Promise<DocumentJob>;
  /**
   * Queues a job that indexes a stored document again: reads its record for the storage path first.
   * E205 while another job processes the document.
   */
  ragIndex(documentId: string, options?: CallOptions): Promise<DocumentJob>;
  /** The analysis of the file at a URL; nothing is stored. Both keys, or neither. */
  classifyByUrl(
    url: string,
    options?: CallOptions & {
      readonly verticalKey?: string | undefined;
      readonly workflowKey?: string | undefined;
    },
  ): Promise<UrlAnalysis>;
  /** One page of the workspace's documents (default order: newest first). */
  list(options?: ListOptions): Promise<ListBody<DocumentRecord>>;
  /** Passages of documents that match the query, best first. */
  search(query: string, options?: DocumentSearchOptions): Promise<DocumentSearchAnswer>;
  /** The record of a document; `jobId` is only a cross-check of the lookup. */
  record(
    documentId: string,
    options?: CallOptions & { readonly jobId?: string | undefined },
  ): Promise<DocumentRecord>;
  /** The original bytes, checked against `expected`, e.g. from the record. */
  content(
    documentId: string,
    options?: CallOptions & {
      readonly expected?: { readonly size?: number; readonly sha256?: string } | undefined;
    },
  ): Promise<StoredContent>;
  /** The text of a page, from 1; with `words` the place and the box of each word. */
  page(documentId: string, page: number, options?: PageReadOptions): Promise<DocumentPage>;
  /** One page of the tables of a document, with the place of each cell on its page. */
  tables(documentId: string, options?: TableListOptions): Promise<ListBody<DocumentTable>>;
  /** One page of the labels and fields that a user must look at, oldest first. */
  reviews(options?: ReviewListOptions): Promise<ListBody<DocumentReview>>;
  /** Accepts `label` or `fields.<name>` as it was found; returns the document's new version. */
  acceptReview(
    documentId: string,
    target: string,
    options?: ReviewOptions,
  ): Promise<DocumentRecord>;
  /** Sets the right label or value; null when the document has none. A label also trains. */
  correctReview(
    documentId: string,
    target: string,
    value: string | number | boolean | null,
    options?: ReviewOptions,
  ): Promise<DocumentRecord>;
  /** The decisions of users about a document, newest first. */
  reviewHistory(
    documentId: string,
    options?: FixedListOptions,
  ): Promise<ListBody<DocumentHistoryEntry>>;
  /** Removes the file and its analysis; an incomplete removal is an error (spec 4.1 rule 9). */
  delete(documentId: string, options?: CallOptions): Promise<DeletionReceipt>;
}

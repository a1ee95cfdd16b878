import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { DocumentPage, DocumentRecord } from "#contract/documents/records.ts";
import type { ProcessingMode, UploadAccepted } from "#contract/documents/upload.ts";
import type { CatalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { CallOptions, NamedFile, ProgressListener, UploadFile } from "../options.ts";
import type { StoredContent } from "./content.ts";
import type { FixedListOptions, ListOptions } from "./lists.ts";

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

/** What may be uploaded; a `FileList` is several of them. */
export type DocumentFile = UploadFile | NamedFile;

/** How an upload is sent, and who hears how far it is. */
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

/** How long a job is waited for, and who is told meanwhile. */
export interface WaitOptions extends CallOptions {
  /** How long to wait for the job's end (default 300,000, at most 24 days); each poll has its own limit. */
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

/** Documents of a workspace, by bare number (`DOC-…`) or UUID (spec 4.1). */
export interface Documents {
  /** One request; `processing_mode` defaults to `full`. All refusals come before any file is opened. */
  upload(
    files: DocumentFile | Iterable<DocumentFile>,
    metadata?: UploadMetadata,
    options?: UploadOptions,
  ): Promise<UploadOutcome>;
  /** `upload` with `processing_mode=classification`; another mode in the metadata is refused. */
  classify(
    files: DocumentFile | Iterable<DocumentFile>,
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

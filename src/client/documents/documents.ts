import type { UrlAnalysis } from "#contract/documents/analysis.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type {
  DeletionReceipt,
  DocumentPage,
  DocumentRecord,
  DocumentTable,
} from "#contract/documents/records.ts";
import type { DocumentSearchAnswer } from "#contract/documents/search.ts";
import type { ProcessingMode } from "#contract/documents/upload-metadata.ts";
import { catalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { DocumentHistoryEntry, DocumentReview } from "#contract/documents/reviews.ts";
import { cannotErase, requireTrash } from "../require-trash.ts";
import type { StoredContent } from "../files/content.ts";
import {
  analysisInput,
  guardedCall,
  historyInput,
  idParams,
  indexInput,
  jobInput,
  jobsInput,
  pageInput,
  pictureInput,
  recordInput,
  reviewsInput,
  searchInput,
  tablesInput,
  type AnalysisOptions,
  type DocumentSearchOptions,
  type PageReadOptions,
  type PictureOptions,
  type RecordOptions,
  type ReviewListOptions,
  type ReviewOptions,
  type TableListOptions,
} from "./inputs.ts";
import type { WaitOptions, WaitOutcome } from "./job-wait.ts";
import type { CallOptions, FixedListOptions, ListOptions } from "../options.ts";
import { listInput } from "../pages.ts";
import type { ClientCalls } from "../calls.ts";
import type {
  DocumentFile,
  UploadMetadata,
  UploadOptions,
  UploadOutcome,
} from "../files/upload.ts";

/** Documents of a workspace, by bare number (`DOC-…`) or UUID (spec 4.1, 2.5 to 2.7). */
export type Documents = ReturnType<typeof documents>;

/** The verbs of the client's workspace. */
export function documents(client: ClientCalls) {
  return {
    /**
     * The calls with the original response, unread and with any status (spec 4.1 rule 10). `upload`
     * and `classify` always return theirs.
     */
    responses: responsesOf(client),
    ...jobVerbs(client),
    ...recordVerbs(client),
    ...removalVerbs(client),
    ...reviewVerbs(client),
  };
}

function jobVerbs(client: ClientCalls) {
  const calls = client.documents;
  const send = async (
    files: DocumentFile | Iterable<DocumentFile>,
    metadata: UploadMetadata,
    options: UploadOptions,
    mode?: ProcessingMode,
  ): Promise<UploadOutcome> => {
    const { sendUpload } = await import("../files/upload.ts");
    return await sendUpload(client, files, metadata, options, mode);
  };

  return {
    /** Sends one request; `processing_mode` defaults to `full`. Input is checked first. */
    async upload(
      files: DocumentFile | Iterable<DocumentFile>,
      metadata: UploadMetadata = {},
      options: UploadOptions = {},
    ): Promise<UploadOutcome> {
      return await send(files, metadata, options);
    },
    /** Uploads a document with `processing_mode=classification`. */
    async classify(
      files: DocumentFile | Iterable<DocumentFile>,
      metadata: UploadMetadata = {},
      options: UploadOptions = {},
    ): Promise<UploadOutcome> {
      return await send(files, metadata, options, "classification");
    },
    /** The current state of a job; E202 after its tracker has expired. */
    async job(jobId: string, options: CallOptions = {}): Promise<DocumentJob> {
      return await calls.job(jobInput(jobId, options));
    },
    /** One page of the workspace's jobs, newest first. */
    async jobs(options: FixedListOptions = {}): Promise<ListBody<DocumentJob>> {
      return await calls.listJobs(jobsInput(options));
    },
    /** Follows a job to its end, also after outages; it only reads (spec 4.7 rule 6). */
    async waitForJob(jobId: string, options: WaitOptions = {}): Promise<WaitOutcome> {
      const { waitForJob } = await import("./job-wait.ts");
      return await waitForJob(client, jobId, options);
    },
    /** Runs a job that ended without success again from its last good stage. */
    async retryJob(jobId: string, options: CallOptions = {}): Promise<DocumentJob> {
      return await calls.retryJob(jobInput(jobId, options));
    },
    /** Stops a running job; E205 for one that has ended. */
    async cancelJob(jobId: string, options: CallOptions = {}): Promise<DocumentJob> {
      return await calls.cancelJob(jobInput(jobId, options));
    },
    /**
     * Queues a job that indexes a stored document again: reads its record for the storage path
     * first. E205 while another job processes the document.
     */
    async ragIndex(documentId: string, options: CallOptions = {}): Promise<DocumentJob> {
      // A read before a write has no key.
      const { idempotencyKey: _key, ...read } = options;
      const { storagePath } = await calls.record(recordInput(documentId, read));
      return await calls.ragIndex(indexInput(documentId, { ...options, storagePath }));
    },
    /** The analysis of the file at a URL; nothing is stored. */
    async classifyByUrl(url: string, options: AnalysisOptions = {}): Promise<UrlAnalysis> {
      return await calls.classifyByUrl(analysisInput(url, options));
    },
  };
}

function recordVerbs({ documents: calls }: ClientCalls) {
  return {
    /** One page of the workspace's documents (default order: newest first). */
    async list(options: ListOptions = {}): Promise<ListBody<DocumentRecord>> {
      return await calls.list(listInput(options));
    },
    /** Passages of documents that match the query, best first. */
    async search(
      query: string,
      options: DocumentSearchOptions = {},
    ): Promise<DocumentSearchAnswer> {
      return await calls.search(searchInput(query, options));
    },
    /** The record of a document. */
    async record(documentId: string, options: RecordOptions = {}): Promise<DocumentRecord> {
      return await calls.record(recordInput(documentId, options));
    },
    /** The original bytes, checked against `expected`, e.g. from the record. */
    async content(
      documentId: string,
      options: CallOptions & {
        readonly expected?: { readonly size?: number; readonly sha256?: string } | undefined;
      } = {},
    ): Promise<StoredContent> {
      const { expected, ...call } = options;
      const input = recordInput(documentId, call);
      const { storedContent } = await import("../files/content.ts");
      return await storedContent(calls.content, input, expected);
    },
    /** The text of a page, from 1; with `words` the place and the box of each word. */
    async page(
      documentId: string,
      page: number,
      options: PageReadOptions = {},
    ): Promise<DocumentPage> {
      return await calls.page(pageInput(documentId, page, options));
    },
    /**
     * The picture of a page that is a scan or a picture file, as PNG. E305 with the problem
     * `no-page-picture` for a page of text.
     */
    async picture(
      documentId: string,
      page: number,
      options: PictureOptions = {},
    ): Promise<StoredContent> {
      const input = pictureInput(documentId, page, options);
      const { storedContent } = await import("../files/content.ts");
      return await storedContent(calls.picture, input);
    },
    /** One page of the tables of a document, with the place of each cell on its page. */
    async tables(
      documentId: string,
      options: TableListOptions = {},
    ): Promise<ListBody<DocumentTable>> {
      return await calls.tables(tablesInput(documentId, options));
    },
  };
}

function removalVerbs({ documents: calls }: ClientCalls) {
  return {
    /**
     * Removes the file and its analysis; an incomplete removal is an error (spec 4.1 rule 9). With
     * `trash` it is hidden, and `restore` brings it back until `restorableUntil`; on a platform
     * without a trash nothing is deleted then (E203).
     */
    async delete(
      documentId: string,
      { trash, ...options }: CallOptions & { readonly trash?: boolean | undefined } = {},
    ): Promise<DeletionReceipt> {
      const input = recordInput(documentId, options);
      if (trash === true) {
        await requireTrash(lookAt(calls, options), {
          details: "this platform has no trash",
          hint: "Delete for good instead; `svc verify calls` reports what the platform has",
        });
      }
      const query = trash === true ? { ...input.query, trash: "true" as const } : input.query;
      const receipt = await calls.delete({ ...input, query });
      if (receipt.complete !== false) return receipt;
      const details = `document ${documentId} was removed incompletely`;
      throw catalogError("E203", { details }, { status: 200, hint: "Delete it again" });
    },
    /**
     * Erases a document for good, with what names it; also one that is in the trash or deleted, by
     * its UUID. Needs a tenant-admin.
     */
    async erase(documentId: string, options: CallOptions = {}): Promise<DeletionReceipt> {
      await requireTrash(lookAt(calls, options), cannotErase);
      const query = { permanent: "true" } as const;
      return await calls.delete({ ...options, params: { documentId }, query });
    },
    /** Documents in the trash, last deleted first. */
    async deleted(options: FixedListOptions = {}): Promise<ListBody<DocumentRecord>> {
      return await calls.deleted(listInput(options));
    },
    /** Brings a document back from the trash. */
    async restore(documentId: string, options: CallOptions = {}): Promise<DocumentRecord> {
      return await calls.restore({ ...options, params: { documentId } });
    },
  };
}

/** Reads the trash, which a platform without the route refuses. */
function lookAt(
  calls: ClientCalls["documents"],
  { idempotencyKey: _key, ...options }: CallOptions,
): () => Promise<unknown> {
  return () => calls.deleted({ ...options, query: { limit: 1 } });
}

function reviewVerbs({ reviews }: ClientCalls) {
  return {
    /** One page of the labels and fields that a user must look at, oldest first. */
    async reviews(options: ReviewListOptions = {}): Promise<ListBody<DocumentReview>> {
      return await reviews.list(reviewsInput(options));
    },
    /** Accepts `label` or `fields.<name>` as it was found; returns the document's new version. */
    async acceptReview(
      documentId: string,
      target: string,
      options: ReviewOptions = {},
    ): Promise<DocumentRecord> {
      const body = { action: "accept", target } as const;
      return await reviews.decide({ ...guardedCall(options), params: idParams(documentId), body });
    },
    /** Sets the right label or value; null when the document has none. A label also trains. */
    async correctReview(
      documentId: string,
      target: string,
      value: string | number | boolean | null,
      options: ReviewOptions = {},
    ): Promise<DocumentRecord> {
      const body = { action: "correct", target, value } as const;
      return await reviews.decide({ ...guardedCall(options), params: idParams(documentId), body });
    },
    /** The decisions of users about a document, newest first. */
    async reviewHistory(
      documentId: string,
      options: FixedListOptions = {},
    ): Promise<ListBody<DocumentHistoryEntry>> {
      return await reviews.history(historyInput(documentId, options));
    },
  };
}

function responsesOf({ documents: calls, reviews }: ClientCalls) {
  return {
    job: rawOf(calls.job, jobInput),
    jobs: rawOf(calls.listJobs, jobsInput),
    retryJob: rawOf(calls.retryJob, jobInput),
    cancelJob: rawOf(calls.cancelJob, jobInput),
    /** `storagePath`: a cross-check with the document's record. */
    ragIndex: rawOf(calls.ragIndex, indexInput),
    classifyByUrl: rawOf(calls.classifyByUrl, analysisInput),
    list: rawOf(calls.list, listInput),
    record: rawOf(calls.record, recordInput),
    content: rawOf(calls.content, recordInput),
    page: rawOf(calls.page, pageInput),
    picture: rawOf(calls.picture, pictureInput),
    tables: rawOf(calls.tables, tablesInput),
    delete: rawOf(calls.delete, recordInput),
    search: rawOf(calls.search, searchInput),
    reviews: rawOf(reviews.list, reviewsInput),
    reviewHistory: rawOf(reviews.history, historyInput),
  };
}

/** A call that takes what `inputOf` takes and returns the unread response. */
function rawOf<Given extends readonly unknown[], Input>(
  call: { raw(input: Input): Promise<Response> },
  inputOf: (...parameters: Given) => Input,
): (...parameters: Given) => Promise<Response> {
  return async (...parameters) => await call.raw(inputOf(...parameters));
}

import type * as z from "zod";
import type { ragIndexRequest } from "#contract/documents/analysis.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { DocumentPage, DocumentRecord, DocumentTable } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/roles.ts";
import { counted } from "#lib/counted.ts";
import { hyphenatedUuid } from "#lib/uuid.ts";
import { contentMissing, type StoredContent } from "../../files/content-response.ts";
import type { Writer } from "../../database/database.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import { requireMatch } from "../../http/handler.ts";
import type { Principal, VersionMatch, WorkspaceScope } from "../../http/handler.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import type { PlatformBase } from "../base.ts";
import { isFileOwned } from "../../files/reference-store.ts";
import {
  documentById,
  documentByNumber,
  documentsBeingRemoved,
  documentsOfJobs,
  deleteDocumentRow,
  lockDocumentFiles,
  markDocumentDeleting,
} from "./store/documents.ts";
import type { Document } from "./store/documents.ts";
import { areDocumentsUnsettled, settleDocuments } from "./store/document-jobs.ts";
import { pageText, pageWords, removePages } from "./store/page-texts.ts";
import { DocumentJobs } from "./job-trackers.ts";
import { listedDocuments } from "./list/document-list.ts";
import { documentTables } from "./list/document-tables.ts";
import type { RecordLookup } from "../records/service.ts";
import { DocumentSearches } from "./search/document-search.ts";
import type { PassageFinder } from "./search/find-passages.ts";
import { removeVectors } from "./store/embeddings.ts";
import { getJob } from "../../jobs/store.ts";
import { documentJobKind, documentJobPayload } from "./document-job.ts";
import { UrlAnalyzer, type UrlClassifier } from "./requests/analyze-url.ts";
import { ragIndex } from "./requests/rag-index.ts";
import type { ClassificationReadiness } from "./upload/readiness.ts";
import { requireRoomInQueue } from "./upload/queue-bound.ts";
import { DocumentUploads } from "./upload/uploads.ts";
import { documentRecordOf, wordsOfWire } from "./wire.ts";
import { ListCursors } from "../../http/lists/cursors.ts";
import { removePassages } from "./store/passages.ts";

export {
  documentById,
  documentByNumber,
  documentsByIds,
  updateDocument,
} from "./store/documents.ts";
export type { Document } from "./store/documents.ts";
export { documentRecordOf } from "./wire.ts";
export { firstPages } from "./first-pages.ts";
export type { DocumentUnderstanding } from "./stages/stage.ts";
export { pagesAfter, pageTexts } from "./store/page-texts.ts";
export { erasePassages, isAnythingIndexed } from "./store/passages.ts";
export type { PassageScope } from "./store/passages.ts";
export type { SearchedPassage } from "./store/passage-search.ts";
export { PassageFinder, type RankedPassage } from "./search/find-passages.ts";
export { EmbeddingWork, type EmbeddingProgress } from "./embedding/embedding-work.ts";
export { rebuildSearchIndex } from "./rebuild-search-index.ts";
export { passagesWithoutEntry } from "./store/reindex-passages.ts";
export { questionTerms } from "./passage-terms.ts";

/** Maximum number of removals that one start of the platform completes. */
const removalsAtStart = 1_000;
const settleIntervalMs = 30_000;

type RagIndexBody = z.output<typeof ragIndexRequest>;

export interface DeletionOptions {
  /** Must be the job that created the document. */
  readonly jobId?: string | undefined;
  readonly ifMatch?: VersionMatch | undefined;
}

/** Documents of workspaces: uploads, jobs, records, removal (spec 2.5 to 2.8, 4.1). */
export class DocumentService {
  readonly uploads: DocumentUploads;
  readonly jobs: DocumentJobs;
  readonly searches: DocumentSearches;
  readonly urls: UrlAnalyzer;
  readonly #cursors: ListCursors;

  constructor(
    private readonly base: PlatformBase,
    private readonly options: {
      blobs: BlobStore;
      jobs: JobRunner;
      records: RecordLookup;
      passages: PassageFinder;
      readiness?: ClassificationReadiness;
      /** Classifies the files of `classify-by-url`. */
      classify?: UrlClassifier;
      /** Removes the data of other domains, in the transaction that removes the row. */
      onRemoved?: (writer: Writer, document: Document) => Promise<void>;
    },
  ) {
    const { database, now, limits, secrets, removals } = base;
    const cursors = new ListCursors(secrets.for("document list cursors"));
    this.#cursors = cursors;
    const bounds = { limitBytes: limits.uploadBytes, waitingJobs: limits.waitingJobs };
    this.searches = new DocumentSearches(options.passages);
    this.uploads = new DocumentUploads({ ...options, database, removals, now, ...bounds });
    this.urls = new UrlAnalyzer({ ...base, ...options });
    this.jobs = new DocumentJobs({ database, jobs: options.jobs, cursors, now });
  }

  /** Call it before the first request and before jobs start: it completes work after a crash. */
  async recover(): Promise<void> {
    const { database, now, logger, lifetime } = this.base;
    const swept = await this.options.blobs.sweep((address) => isFileOwned(database.read, address));
    if (swept.unfinished > 0) logger.info({ event: "uploads-swept", ...swept });
    for (const document of await documentsBeingRemoved(database.read, removalsAtStart)) {
      await this.#remove(document).catch((error: unknown) =>
        logger.error({ event: "removal-failed", documentId: document.id, error: String(error) }),
      );
    }
    const settle = async (): Promise<void> => {
      if (!(await areDocumentsUnsettled(database.read))) return;
      await database.write((writer) => settleDocuments(writer, now()));
    };
    await settle();
    lifetime.every(settleIntervalMs, "document-settling-failed", settle);
  }

  /** Ends the work on a workspace that is purged. */
  stopWork(workspaceId: string): void {
    this.options.jobs.abandon(workspaceId);
  }

  list(
    workspaceId: string,
    query: ListQuery,
    signal?: AbortSignal,
  ): Promise<ListBody<DocumentRecord>> {
    const { database } = this.base;
    return listedDocuments({ database, cursors: this.#cursors }, workspaceId, query, signal);
  }

  /** `id` is a `DOC-…` number or a UUID; `jobId`, if given, must be the job that created it. */
  async record(workspaceId: string, id: string, jobId?: string): Promise<DocumentRecord> {
    return documentRecordOf(await this.#find(workspaceId, id, jobId));
  }

  async content(workspaceId: string, id: string, jobId?: string): Promise<StoredContent> {
    const document = await this.#find(workspaceId, id, jobId);
    const bytes = await this.options.blobs.open(document);
    if (bytes === undefined) {
      // The document may have been deleted since.
      await this.#find(workspaceId, id, jobId);
      throw contentMissing(`The file of ${document.number}`);
    }
    const { size, sha256, mediaType, filename } = document;
    return { bytes, size, sha256, mediaType, filename };
  }

  async page(
    workspaceId: string,
    id: string,
    page: number,
    withWords = false,
  ): Promise<DocumentPage> {
    const document = await this.#find(workspaceId, id);
    const text = await pageText(this.base.database.read, document, page);
    if (text === undefined) {
      throw new Refusal("not-found", {
        detail:
          document.pages === null
            ? `${document.number} has no extracted text`
            : `${document.number} has ${counted(document.pages, "page")}`,
      });
    }
    const words = withWords
      ? wordsOfWire(await pageWords(this.base.database.read, document, page))
      : {};
    return {
      ...words,
      documentId: document.id,
      page,
      ...(document.pages === null ? {} : { pages: document.pages }),
      text,
    };
  }

  async tables(
    workspaceId: string,
    id: string,
    query: Parameters<typeof documentTables>[2],
  ): Promise<ListBody<DocumentTable>> {
    const document = await this.#find(workspaceId, id);
    const parts = { reader: this.base.database.read, cursors: this.#cursors };
    return documentTables(parts, document, query);
  }

  /** Indexes a stored document again; see {@link ragIndex}. */
  async ragIndex(
    workspaceId: string,
    oid: string,
    { documentId, storagePath }: RagIndexBody,
    remember: (job: DocumentJob) => void,
  ): Promise<DocumentJob> {
    const document = await this.#find(workspaceId, documentId);
    const { database, now, limits } = this.base;
    await requireRoomInQueue(database.read, workspaceId, limits.waitingJobs);
    const tools = { database, now, jobs: this.options.jobs };
    return ragIndex(tools, { workspaceId, oid, document, storagePath }, remember);
  }

  /**
   * Removes the file and its analysis; only the uploader or a builder may (spec 4.1 rule 9).
   * 412 when `ifMatch` is another version, unless the removal has already started.
   */
  async delete(
    workspace: WorkspaceScope,
    principal: Principal,
    id: string,
    { jobId, ifMatch }: DeletionOptions = {},
  ): Promise<{ documentId: string; removed: Removed; complete: boolean }> {
    const document = await this.#find(workspace.id, id, jobId, { withDeleting: true });
    if (document.createdBy !== principal.oid && !roleIncludes(workspace.role, "tenant-builder")) {
      throw new Refusal("permission-denied", {
        detail: `Only its uploader or a tenant-builder may delete ${document.number}`,
      });
    }
    // Checked before its job is cancelled: only that job changes a document.
    if (document.status !== "deleting") requireMatch(ifMatch, document.version);
    const removed = await this.#remove(document);
    return { documentId: document.id, removed, complete: true };
  }

  async #remove(document: Document): Promise<Removed> {
    const { database } = this.base;
    const { workspaceId, jobId } = document;
    const others = (await documentsOfJobs(database.read, workspaceId, [jobId])).filter(
      ({ id }) => id !== document.id,
    );
    if (others.length === 0) await this.options.jobs.cancel({ workspaceId, id: jobId });
    return removeDocument(this.base, document, this.options.onRemoved);
  }

  async #find(
    workspaceId: string,
    id: string,
    jobId?: string,
    { withDeleting = false } = {},
  ): Promise<Document> {
    const { read } = this.base.database;
    const document = id.startsWith("DOC-")
      ? await documentByNumber(read, workspaceId, id)
      : await documentById(read, { workspaceId, id: hyphenatedUuid(id) });
    if (document === undefined || (document.status === "deleting" && !withDeleting)) {
      throw new Refusal("not-found");
    }
    if (jobId !== undefined && !(await this.#hasProcessed(jobId, document))) {
      throw new Refusal("not-found", {
        detail: "This job did not process this document",
        errors: [{ pointer: pointer("query", "job_id"), detail: "is another document's job" }],
      });
    }
    return document;
  }

  async #hasProcessed(jobId: string, { workspaceId, id, ...document }: Document): Promise<boolean> {
    if (jobId === document.jobId) return true;
    const job = await getJob(this.base.database.read, { workspaceId, id: jobId });
    if (job?.kind !== documentJobKind) return false;
    return documentJobPayload.parse(job.payload).documentIds.includes(id);
  }
}

/** Rows of one transaction; other writes wait for it. */
const rowsAtATime = 200;

/** The parts that a deletion removed (spec 5.5): a type, since the contract has an open object. */
export type Removed = {
  /** Whether the store removed the bytes; false when another document or record has the same. */
  file: boolean;
  /** Classification, fields and page texts. */
  analysis: boolean;
  /** Passages removed from the index. */
  chunks: number;
  vectors: number;
};

/**
 * Removes a document in steps that can start again: mark (hides it), index, pages, bytes, row.
 * A storage failure is 503 with the parts removed so far and `complete: false`.
 */
async function removeDocument(
  { database, removals, now }: PlatformBase,
  document: Document,
  onRemoved?: (writer: Writer, document: Document) => Promise<void>,
): Promise<Removed> {
  const removed: Removed = { file: false, analysis: false, chunks: 0, vectors: 0 };
  try {
    await database.write(async (writer) => {
      await lockDocumentFiles(writer, document.workspaceId);
      await markDocumentDeleting(writer, document, now());
    });
    removed.vectors = await inSteps((limit) =>
      database.write((writer) => removeVectors(writer, document, limit)),
    );
    removed.chunks = await inSteps((limit) =>
      database.write((writer) => removePassages(writer, document, limit)),
    );
    await inSteps((limit) => database.write((writer) => removePages(writer, document, limit)));
    removed.analysis = true;
    removed.file = await removals.remove(document, document.size);
    await database.write(async (writer) => {
      await onRemoved?.(writer, document);
      await deleteDocumentRow(writer, document);
    });
    return removed;
  } catch (error) {
    throw new Refusal("storage-unavailable", {
      detail: `Cannot remove all of ${document.number}: delete it again to continue`,
      members: { documentId: document.id, removed, complete: false },
      cause: error,
    });
  }
}

async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step(rowsAtATime);
    total += count;
    if (count < rowsAtATime) return total;
  }
}

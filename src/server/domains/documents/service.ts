import type * as z from "zod";
import type { ragIndexRequest } from "#contract/documents/analysis.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type {
  DeletionReceipt,
  DocumentPage,
  DocumentRecord,
  DocumentTable,
} from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import { counted } from "#lib/text/counted.ts";
import { given } from "#lib/given.ts";
import type { Reader } from "../../database/database.ts";
import { contentMissing, type StoredContent } from "../../files/content-response.ts";
import { isFileOwned } from "../../files/reference-store.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import type { SearchWords } from "../../search-index/word-list.ts";
import { notedWords } from "../../text/search/searched-texts.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { getJob } from "../../jobs/store.ts";
import { requireMatch, type VersionMatch, type WorkspaceScope } from "../../work/caller.ts";
import type { Facts, Transaction, Work } from "../../work/work.ts";
import type { PlatformBase } from "../base.ts";
import type { RecordLookup } from "../records/service.ts";
import { documentJobKind, documentJobPayload } from "./document-job.ts";
import { documentNamed, findDocument, requireDocument, uuidNamed } from "./find-document.ts";
import { DocumentJobs } from "./job-trackers.ts";
import { listedDocuments } from "./list/document-list.ts";
import { documentTables } from "./list/document-tables.ts";
import { removeDocument, type OnRemoved, type Removed } from "./remove-document.ts";
import { UrlAnalyzer, type UrlClassifier } from "./requests/analyze-url.ts";
import type { WorkflowGate } from "../workflow-gate.ts";
import { PagePictures, type WantedPicture } from "./requests/page-picture.ts";
import { ragIndex } from "./requests/rag-index.ts";
import { DocumentSearches } from "./search/document-search.ts";
import type { PassageFinder } from "./search/find-passages.ts";
import { areDocumentsUnsettled, settleDocuments } from "./store/document-jobs.ts";
import { documentsBeingRemoved, documentsOfJobs, type Document } from "./store/documents.ts";
import { expiredDocuments } from "./store/trashed-documents.ts";
import { trashed, trashList, untrashed } from "./trash.ts";
import { pagesAfter, pageText, pageWords } from "./store/page-texts.ts";
import {
  DocumentUploads,
  requireRoomInQueue,
  type ClassificationReadiness,
} from "./upload/uploads.ts";
import { documentRecordOf, wordsOfWire } from "./wire.ts";

export type { EmbeddingProgress, EmbeddingWork } from "./embedding/embedding-work.ts";
export {
  changeDocument,
  documentIds,
  findDocument,
  firstPages,
  openingText,
  readFields,
  requireDocument,
} from "./find-document.ts";
export {
  erasePassages,
  passagesWithoutEntry,
  rebuildSearchIndex,
  rewritePassageEntries,
} from "./search-index.ts";
export { archivedPassages } from "./archived-passages.ts";
export type { RankedPassage } from "./search/combine-rankings.ts";
export type { PassageFinder } from "./search/find-passages.ts";
export type { DocumentUnderstanding } from "./stages/stage.ts";

/** Maximum number of removals that one start of the platform completes. */
const removalsAtStart = 1_000;
const settleIntervalMs = 30_000;
const trashIntervalMs = 60_000;
/** Documents that one look at the trash removes. */
const expiredAtOnce = 100;

type RagIndexBody = z.output<typeof ragIndexRequest>;

export interface DeletionOptions {
  /** Must be the job that created the document. */
  readonly jobId?: string | undefined;
  readonly ifMatch?: VersionMatch | undefined;
  /** Keeps the document restorable instead of removing it. */
  readonly trash?: boolean | undefined;
}

/** Documents of workspaces: uploads, jobs, records, removal (spec 2.5 to 2.8, 4.1). */
export class DocumentService {
  readonly uploads: DocumentUploads;
  readonly jobs: DocumentJobs;
  readonly searches: DocumentSearches;
  readonly urls: UrlAnalyzer;
  readonly #cursors: ListCursors;
  readonly #pictures: PagePictures;

  constructor(
    private readonly base: PlatformBase,
    private readonly options: {
      readonly jobs: JobRunner;
      readonly records: RecordLookup;
      readonly passages: PassageFinder;
      readonly readiness?: ClassificationReadiness;
      /** Every workflow may be used without it. */
      readonly gate?: WorkflowGate;
      /** Classifies the files of `classify-by-url`. */
      readonly classify?: UrlClassifier;
      readonly words: SearchWords;
      /** Removes the data of other domains, in the transaction that removes the row. */
      readonly onRemoved?: OnRemoved;
    },
  ) {
    const { limits, secrets } = base;
    const cursors = new ListCursors(secrets.for("document list cursors"));
    this.#cursors = cursors;
    this.#pictures = new PagePictures(base);
    const bounds = { limitBytes: limits.uploadBytes, waitingJobs: limits.waitingJobs };
    this.searches = new DocumentSearches(options.passages);
    this.uploads = new DocumentUploads({ ...base, ...options, ...bounds });
    this.urls = new UrlAnalyzer({ ...base, ...options });
    this.jobs = new DocumentJobs({ jobs: options.jobs, cursors, now: base.now });
  }

  /** Call it before the first request and before jobs start: it completes work after a crash. */
  async recover(): Promise<void> {
    const { platformWork, blobs, now, logger, lifetime } = this.base;
    const work = platformWork("documents whose upload, job or removal has not ended");
    const swept = await blobs.sweep((address) => isFileOwned(work.read, address));
    if (swept.unfinished > 0) logger.info({ event: "uploads-swept", ...swept });
    const removeAll = async (documents: readonly Document[]): Promise<void> => {
      for (const document of documents) {
        await this.#remove(work, document).catch((error: unknown) =>
          logger.error({ event: "removal-failed", documentId: document.id, error: String(error) }),
        );
      }
    };
    await removeAll(await documentsBeingRemoved(work.read, removalsAtStart));
    lifetime.every(trashIntervalMs, "document-trash-not-emptied", async () =>
      removeAll(await expiredDocuments(work.read, now().toISOString(), expiredAtOnce)),
    );
    const settle = async (): Promise<void> => {
      if (!(await areDocumentsUnsettled(work.read))) return;
      await work.write((tx) => settleDocuments(tx, now()));
    };
    await settle();
    lifetime.every(settleIntervalMs, "document-settling-failed", settle);
  }

  /** Ends the work on a workspace that is purged. */
  stopWork(workspaceId: string): void {
    this.options.jobs.abandon(workspaceId);
  }

  list(
    work: Work,
    workspaceId: string,
    query: ListQuery,
    signal?: AbortSignal,
  ): Promise<ListBody<DocumentRecord>> {
    return listedDocuments(work, this.#cursors, workspaceId, query, signal);
  }

  /** `id` is a `DOC-…` number or a UUID; `jobId`, if given, must be the job that created it. */
  async record(
    work: Work,
    workspaceId: string,
    id: string,
    jobId?: string,
  ): Promise<DocumentRecord> {
    return documentRecordOf(await findOfJob(work.read, workspaceId, id, jobId));
  }

  async content(
    work: Work,
    workspaceId: string,
    id: string,
    jobId?: string,
  ): Promise<StoredContent> {
    const document = await findOfJob(work.read, workspaceId, id, jobId);
    const bytes = await this.base.blobs.open(document);
    if (bytes === undefined) {
      // The document may have been deleted since.
      await findOfJob(work.read, workspaceId, id, jobId);
      throw contentMissing(`The file of ${document.number}`);
    }
    const { size, sha256, mediaType, filename } = document;
    return { bytes, size, sha256, mediaType, filename };
  }

  async page(
    { read }: Work,
    workspaceId: string,
    id: string,
    page: number,
    withWords = false,
  ): Promise<DocumentPage> {
    const document = await requireDocument(read, workspaceId, id);
    const text = await pageText(read, document, page);
    if (text === undefined) {
      throw new Refusal("not-found", {
        detail:
          document.pages === null
            ? `${document.number} has no extracted text`
            : `${document.number} has ${counted(document.pages, "page")}`,
      });
    }
    const words = withWords ? wordsOfWire(await pageWords(read, document, page)) : {};
    const pages = document.pages ?? undefined;
    return { ...words, documentId: document.id, page, ...given({ pages }), text };
  }

  /** The picture of a page that is one; see {@link PagePictures.draw}. */
  async picture(
    work: Work,
    workspaceId: string,
    wanted: WantedPicture & { readonly documentId: string },
    signal: AbortSignal,
  ): Promise<StoredContent> {
    const document = await requireDocument(work.read, workspaceId, wanted.documentId);
    return this.#pictures.draw(document, wanted, { caller: work.scope.caller, signal });
  }

  async tables(
    { read }: Work,
    workspaceId: string,
    id: string,
    query: Parameters<typeof documentTables>[2],
  ): Promise<ListBody<DocumentTable>> {
    const document = await requireDocument(read, workspaceId, id);
    return documentTables({ reader: read, cursors: this.#cursors }, document, query);
  }

  /** Indexes a stored document again; see {@link ragIndex}. */
  async ragIndex(
    work: Work,
    workspaceId: string,
    { documentId, storagePath }: RagIndexBody,
    remember: (job: DocumentJob, facts: Facts) => void,
  ): Promise<DocumentJob> {
    const document = await requireDocument(work.read, workspaceId, documentId);
    const { now, limits } = this.base;
    await requireRoomInQueue(work.read, workspaceId, limits.waitingJobs);
    const tools = { now, jobs: this.options.jobs };
    return ragIndex(work, tools, { document, storagePath }, remember);
  }

  /**
   * Removes the file and its analysis; only the uploader or a builder may (spec 4.1 rule 9).
   * 412 when `ifMatch` is another version, unless the removal has already started.
   */
  async delete(
    work: Work,
    workspace: WorkspaceScope,
    id: string,
    { jobId, ifMatch, trash }: DeletionOptions = {},
  ): Promise<DeletionReceipt> {
    const named = await documentNamed(work.read, workspace.id, id);
    const document = await requireOfJob(work.read, named, jobId);
    requireOwner(work, workspace, document);
    // Checked before its job is cancelled: only that job changes a document.
    if (document.status !== "deleting") requireMatch(ifMatch, document.version);
    if (trash === true) {
      if (document.status === "deleting") throw new Refusal("not-found");
      await this.#endJob(work, document);
      return trashed(work, document, this.base);
    }
    const removed = await this.#remove(work, document);
    return { documentId: document.id, removed, complete: true };
  }

  /** Brings a document back from the trash; its uploader or a builder may. */
  async restore(work: Work, workspace: WorkspaceScope, id: string): Promise<DocumentRecord> {
    const document = await documentNamed(work.read, workspace.id, id);
    if (document === undefined || document.trashedUntil === null) throw new Refusal("not-found");
    requireOwner(work, workspace, document);
    return untrashed(work, document, this.base);
  }

  /** Documents in the trash, last deleted first. */
  deleted(
    work: Work,
    workspaceId: string,
    query: Pick<ListQuery, "page" | "limit" | "cursor">,
  ): Promise<ListBody<DocumentRecord>> {
    return trashList(work, { cursors: this.#cursors, now: this.base.now }, workspaceId, query);
  }

  /**
   * Removes a document that exists, is in the trash or was deleted, and the words that only it has.
   * 404 for a number that no document has. `note` runs before the removal, in a unit.
   */
  async erase(
    work: Work,
    workspace: WorkspaceScope,
    id: string,
    options: Omit<DeletionOptions, "trash"> & {
      readonly note: (tx: Transaction, documentId: string) => Promise<void>;
    },
  ): Promise<DeletionReceipt & { readonly documentId: string }> {
    const { jobId, ifMatch, note } = options;
    const document = await documentNamed(work.read, workspace.id, id);
    const documentId = document?.id ?? uuidNamed(id);
    if (document !== undefined) {
      await requireOfJob(work.read, document, jobId);
      if (document.status !== "deleting") requireMatch(ifMatch, document.version);
    }
    await work.write(async (tx) => {
      await note(tx, documentId);
      tx.event("document", documentId, workspace.id, { op: "erased" });
    });
    const removed = document && (await this.#erase(work, document));
    return { documentId, removed: removed ?? { file: false, analysis: false }, complete: true };
  }

  /** Removes a document that a restored backup still has. */
  async eraseListed(work: Work, workspaceId: string, id: string): Promise<void> {
    const document = await documentNamed(work.read, workspaceId, id);
    if (document !== undefined) await this.#erase(work, document);
  }

  async #erase(work: Work, document: Document): Promise<Removed> {
    const words = await wordsOf(work.read, document);
    const removed = await this.#remove(work, document);
    await this.options.words.removeUnused(document.workspaceId, words);
    return removed;
  }

  async #remove(work: Work, document: Document): Promise<Removed> {
    await this.#endJob(work, document);
    return removeDocument(work, document, { ...this.base, ...this.options });
  }

  async #endJob(work: Work, document: Document): Promise<void> {
    const { workspaceId, jobId } = document;
    const others = (await documentsOfJobs(work.read, workspaceId, [jobId])).filter(
      ({ id }) => id !== document.id,
    );
    if (others.length === 0) {
      await work.write((tx) => this.options.jobs.cancel(tx, { workspaceId, id: jobId }));
    }
  }
}

const pagesAtATime = 20;

/** The words of all pages of a document. */
async function wordsOf(reader: Reader, document: Document): Promise<Set<string>> {
  const words = new Set<string>();
  for (let after = 0; ;) {
    const pages = await pagesAfter(reader, document, after, pagesAtATime);
    for (const { text } of pages) for (const word of notedWords(text)) words.add(word);
    after = pages.at(-1)?.number ?? after;
    if (pages.length < pagesAtATime) return words;
  }
}

/** 403 unless the caller has uploaded the document or is a builder (spec 4.1 rule 9). */
function requireOwner(work: Work, { role }: WorkspaceScope, document: Document): void {
  if (document.createdBy === work.scope.caller || roleIncludes(role, "tenant-builder")) return;
  throw new Refusal("permission-denied", {
    detail: `Only its uploader or a tenant-builder may delete ${document.number}`,
  });
}

async function findOfJob(
  reader: Reader,
  workspaceId: string,
  id: string,
  jobId: string | undefined,
): Promise<Document> {
  return requireOfJob(reader, await findDocument(reader, workspaceId, id), jobId);
}

/** Refuses 404 without a document, or if the given job did not process it. */
async function requireOfJob(
  reader: Reader,
  document: Document | undefined,
  jobId: string | undefined,
): Promise<Document> {
  if (document === undefined) throw new Refusal("not-found");
  if (jobId === undefined || jobId === document.jobId) return document;
  const job = await getJob(reader, { workspaceId: document.workspaceId, id: jobId });
  const isOwn =
    job?.kind === documentJobKind &&
    documentJobPayload.parse(job.payload).documentIds.includes(document.id);
  if (isOwn) return document;
  throw new Refusal("not-found", {
    detail: "This job did not process this document",
    errors: [{ pointer: pointer("query", "job_id"), detail: "is another document's job" }],
  });
}

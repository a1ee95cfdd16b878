import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { DocumentPage, DocumentRecord } from "#contract/documents/records.ts";
import { numbersOfWord, type PageWords } from "../../text/tables/word-places.ts";
import type { Document } from "./store/documents.ts";
import type { Job } from "../../jobs/store.ts";
import { documentJobPayload } from "./document-job.ts";

/** The record of a document (spec 2.7). */
export function documentRecordOf(document: Document): DocumentRecord {
  return {
    documentId: document.id,
    documentNumber: document.number,
    filename: document.filename,
    mediaType: document.mediaType,
    size: document.size,
    sha256: document.sha256,
    storagePath: storagePathOf(document),
    lifecycle: document.lifecycle,
    processingMode: document.processingMode,
    status: document.status,
    context: { ...document.context },
    metadata: document.metadata,
    classification:
      document.classification === null
        ? null
        : { ...document.classification, candidates: [...document.classification.candidates] },
    // Only the analyze stage writes them, in the shape of the contract.
    fields: document.fields as DocumentRecord["fields"],
    properties: document.properties,
    pages: document.pages,
    chunkCount: document.chunkCount,
    indexStatus: document.indexStatus,
    error: document.error,
    jobId: document.jobId,
    createdBy: document.createdBy,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    version: document.version,
  };
}

/** The words of a page with their boxes; a page without positions has none. */
export function wordsOfWire(
  found: PageWords | undefined,
): Pick<DocumentPage, "width" | "height" | "words"> {
  const { width, height, places = [] } = found ?? {};
  const words: NonNullable<DocumentPage["words"]> = [];
  for (let at = 0; at < places.length; at += numbersOfWord) {
    const [start = 0, length = 0, x = 0, y = 0, wide = 0, high = 0] = places.slice(at, at + 6);
    words.push({ start, end: start + length, x, y, width: wide, height: high });
  }
  return { ...(found === undefined ? {} : { width, height }), words };
}

/** The place of the bytes in the workspace's file store, for information only. */
export function storagePathOf({ sha256 }: Pick<Document, "sha256">): string {
  return `documents/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** The tracker of a job (spec 2.6) with its remaining documents. */
export function documentJobOf(job: Job, documents: readonly Document[]): DocumentJob {
  const { documentIds } = documentJobPayload.parse(job.payload);
  return {
    jobId: job.id,
    status: job.state,
    percentCompleted: job.percentCompleted,
    documentId: documentIds[0] ?? null,
    documentIds,
    documents: documents.map((document) => ({
      documentId: document.id,
      documentNumber: document.number,
      filename: document.filename,
      status: document.status,
      error: document.error,
      ...(document.properties?.warnings === undefined
        ? {}
        : { warnings: [...document.properties.warnings] }),
    })),
    stages: job.stages.map((stage) => ({
      ...stage,
      progress: stage.progress === null ? null : { ...stage.progress },
      counts: stage.counts === null ? null : { ...stage.counts },
      error: stage.error === null ? null : { ...stage.error },
    })),
    counts: { ...job.counts },
    error: job.error === null ? null : { ...job.error },
    attempt: job.attempt,
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    expiresAt: job.expiresAt,
  };
}

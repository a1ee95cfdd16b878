import type { JsonObject } from "#contract/values.ts";
import type { StageName } from "#contract/documents/jobs.ts";
import { given } from "#lib/given.ts";
import type { BlobStore } from "../../../files/blob-store.ts";
import {
  documentById,
  keepDocument,
  updateDocument,
  type Document,
  type DocumentChanges,
} from "../store/documents.ts";
import type { Classification } from "../store/document-row.ts";
import type { PageWithTables } from "../store/page-texts.ts";
import type { Transaction, Work } from "../../../work/work.ts";
import type { Models } from "../../../models/models.ts";
import type { Lifetime } from "../../../kit/lifetime.ts";
import type { KeptChildren } from "../../../text/extraction/child/kept-children.ts";
import type { SearchWords } from "../../../search-index/word-list.ts";
import type { JobContext } from "../../../jobs/runner.ts";
import type { JobError } from "../../../jobs/store.ts";

export interface StageTools {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly extractionCommand: readonly string[];
  readonly lifetime?: Lifetime;
  /** Extraction processes that read several documents of a workspace. */
  readonly children?: KeptChildren;
  /** Learns the words of passages, to correct misspelt questions. */
  readonly words: Pick<SearchWords, "note">;
  /** Folder of further languages for the text in pictures. */
  readonly ocrFolder?: string | undefined;
  /** The models of the deployment; one that reads images reads scanned pages. */
  readonly models?: Models | undefined;
  /** Classifies documents and reads their fields; fields show by their form without it. */
  readonly understanding?: DocumentUnderstanding;
}

/** The configuration of a workspace for its documents; another domain implements it. */
export interface DocumentUnderstanding {
  /** Finds the kind of a document from the text of its first pages. */
  classify(
    work: Work,
    document: Document,
    text: string,
    signal: AbortSignal,
  ): Promise<Classification>;
  /** The fields of the document's type; undefined when its label has no type. */
  fields(
    work: Work,
    document: Document,
    pages: readonly PageWithTables[],
    signal: AbortSignal,
  ): Promise<JsonObject | undefined>;
  /** Queues what a user must look at, in the transaction that stores the results. */
  review(
    tx: Transaction,
    document: Document,
    found: { readonly classification?: Classification; readonly fields?: JsonObject },
  ): Promise<void>;
}

export interface StageWork {
  readonly document: Document;
  readonly job: JobContext;
  progress(done: number, total: number | null, unit: string): void;
}

/**
 * Runs one stage for one document, and replaces the results of an earlier attempt. An error that it
 * returns leaves the document usable; a retry of the job repeats the stage.
 */
export type Stage = (tools: StageTools, work: StageWork) => Promise<JobError | void>;

/** The document cannot be processed, for the reason in the message. Others continue. */
export class DocumentFailedError extends Error {
  override readonly name = "DocumentFailedError";
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function fileMissing(cause?: unknown): DocumentFailedError {
  return new DocumentFailedError(
    "file-missing",
    "The stored file is missing or incomplete. Delete the document and upload the file again.",
    { cause },
  );
}

/** The document was deleted while its job ran. */
export class DocumentGoneError extends Error {
  override readonly name = "DocumentGoneError";
}

/** A transaction that commits only while this worker has the job and the document exists. */
export async function writeFor(
  { document, job }: StageWork,
  unit: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await job.write(async (tx) => {
    if (!(await keepDocument(tx, document))) {
      throw new DocumentGoneError(`${document.number} was deleted`);
    }
    await unit(tx);
  });
}

/** The error of a stage whose model did not answer. */
export function withoutModel(modelError: string, left: string): JobError {
  return {
    code: "model-unavailable",
    message: `${modelError}, so ${left} for a user. Retry the job to ask the model again.`,
  };
}

/**
 * Saves the results of a stage with the document, queues those that a user must look at, and marks
 * the stage as done. With an error it stays open, so that a retry repeats it.
 */
export async function completeStage(
  tools: Pick<StageTools, "understanding" | "now">,
  work: StageWork,
  stage: StageName,
  changes: DocumentChanges = {},
  error?: JobError,
): Promise<void> {
  const { document } = work;
  const { classification, fields } = changes;
  const found = given({ classification: classification ?? undefined, fields: fields ?? undefined });
  await writeFor(work, async (tx) => {
    await tools.understanding?.review(tx, document, found);
    const current = await documentById(tx, document);
    const done = new Set(current?.doneStages);
    if (error === undefined) done.add(stage);
    // The fields belong to the label.
    if (stage === "classify") done.delete("analyze");
    await updateDocument(tx, document, { ...changes, doneStages: [...done] }, tools.now());
  });
}

/** Repeats a removal in batches until nothing remains. */
export async function removeAll(
  work: StageWork,
  remove: (tx: Transaction, limit: number) => Promise<number>,
): Promise<void> {
  const limit = 200;
  let count = limit;
  while (count === limit) {
    await writeFor(work, async (tx) => {
      count = await remove(tx, limit);
    });
  }
}

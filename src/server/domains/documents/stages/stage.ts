import type { JsonObject } from "#contract/values.ts";
import type { StageName } from "#contract/documents/jobs.ts";
import type { BlobStore } from "../../../files/blob-store.ts";
import { documentById, keepDocument, updateDocument } from "../store/documents.ts";
import type { Document } from "../store/documents.ts";
import type { Classification } from "../store/document-row.ts";
import type { PageWithTables } from "../store/page-texts.ts";
import type { DocumentChanges } from "../store/documents.ts";
import type { Database, Writer } from "../../../database/database.ts";
import type { Models } from "../../../models/models.ts";
import type { Lifetime } from "../../../kit/lifetime.ts";
import type { KeptChildren } from "../../../text/extraction/child/kept-children.ts";
import type { SearchWords } from "../../search/service.ts";
import type { JobContext } from "../../../jobs/runner.ts";
import type { JobError } from "../../../jobs/store.ts";

export interface StageTools {
  readonly database: Database;
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
  /** Without it documents are not classified, and have the fields that show by their form. */
  readonly understanding?: DocumentUnderstanding;
}

/** The configuration of a workspace for its documents; another domain implements it. */
export interface DocumentUnderstanding {
  /** The kind of a document, from its first pages. */
  classify(document: Document, text: string, signal: AbortSignal): Promise<Classification>;
  /** The fields of the document's type; undefined when its label has no type. */
  fields(
    document: Document,
    pages: readonly PageWithTables[],
    signal: AbortSignal,
  ): Promise<JsonObject | undefined>;
  /** Queues what a user must look at, in the transaction that stores the results. */
  review(
    writer: Writer,
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

/** The document cannot be processed, as the message tells its uploader. Others continue. */
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
  work: (writer: Writer) => Promise<void>,
): Promise<void> {
  await job.write(async (writer) => {
    if (!(await keepDocument(writer, document))) {
      throw new DocumentGoneError(`${document.number} was deleted`);
    }
    await work(writer);
  });
}

/** A stage without the answer of a model that it asked. */
export function withoutModel(modelError: string, left: string): JobError {
  return {
    code: "model-unavailable",
    message: `${modelError}, so ${left} for a user. Retry the job to ask the model again.`,
  };
}

/**
 * Saves the result of a stage with the document, and marks the stage as done. With an error it
 * stays open, so that a retry repeats it.
 */
export async function completeStage(
  tools: StageTools,
  work: StageWork,
  stage: StageName,
  changes: DocumentChanges = {},
  also?: (writer: Writer) => Promise<void>,
  error?: JobError,
): Promise<void> {
  const { document } = work;
  await writeFor(work, async (writer) => {
    await also?.(writer);
    const current = await documentById(writer, document);
    const done = new Set(current?.doneStages);
    if (error === undefined) done.add(stage);
    // The fields belong to the label.
    if (stage === "classify") done.delete("analyze");
    await updateDocument(writer, document, { ...changes, doneStages: [...done] }, tools.now());
  });
}

/** Repeats a removal in batches until nothing remains. */
export async function removeAll(
  work: StageWork,
  remove: (writer: Writer, limit: number) => Promise<number>,
): Promise<void> {
  const limit = 200;
  let count = limit;
  while (count === limit) {
    await writeFor(work, async (writer) => {
      count = await remove(writer, limit);
    });
  }
}

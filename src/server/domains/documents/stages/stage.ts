import type { StageName } from "#contract/documents/jobs.ts";
import type { BlobStore } from "../../../files/blob-store.ts";
import { documentById, keepDocument, updateDocument } from "../store/documents.ts";
import type { Document } from "../store/documents.ts";
import type { DocumentChanges } from "../store/documents.ts";
import type { Database, Writer } from "../../../database/database.ts";
import type { JobContext } from "../../../jobs/runner.ts";

/** What every stage works with. */
export interface StageTools {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** The program and arguments that start text extraction in a process of its own. */
  readonly extractionCommand: readonly string[];
}

/** One document in one stage. */
export interface StageWork {
  readonly document: Document;
  readonly job: JobContext;
  progress(done: number, total: number | null, unit: string): void;
}

/** Does one stage for one document, from its start; what an earlier try left is replaced. */
export type Stage = (tools: StageTools, work: StageWork) => Promise<void>;

/** The document can't be processed, in words for who uploaded it; others of the job go on. */
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

/** What is left to do then is to delete the document and to send its file again. */
export function fileMissing(cause?: unknown): DocumentFailedError {
  return new DocumentFailedError(
    "file-missing",
    "The stored file is missing or incomplete. Delete the document and upload the file again.",
    { cause },
  );
}

/** The document was deleted while its job ran: there is nothing more to do for it. */
export class DocumentGoneError extends Error {
  override readonly name = "DocumentGoneError";
}

/**
 * A unit that is only committed while the job is ours and the document lives. Touching the
 * document's row makes a deletion at the same moment one that comes before or after, never between.
 */
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

/** Puts the stage's result on the document, with the mark that it is done. */
export async function completeStage(
  tools: StageTools,
  work: StageWork,
  stage: StageName,
  changes: DocumentChanges = {},
): Promise<void> {
  const { document } = work;
  await writeFor(work, async (writer) => {
    const current = await documentById(writer, document);
    const done = new Set([...(current?.doneStages ?? []), stage]);
    await updateDocument(writer, document, { ...changes, doneStages: [...done] }, tools.now());
  });
}

/** Repeats a bounded removal until nothing is left. */
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

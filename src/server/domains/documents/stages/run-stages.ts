import { stageNames, type StageName } from "#contract/documents/jobs.ts";
import { documentJobPayload, documentStages, type DocumentJobPayload } from "../document-job.ts";
import { documentsByIds, updateDocument, type Document } from "../store/documents.ts";
import type { JobError } from "../../../jobs/store.ts";
import { KeptChildren } from "../../../text/extraction/child/kept-children.ts";
import { extract } from "./extract-text.ts";
import { indexPassages } from "./index-passages.ts";
import {
  DocumentFailedError,
  DocumentGoneError,
  completeStage,
  fileMissing,
  type Stage,
  type StageTools,
  withoutModel,
} from "./stage.ts";
import {
  JobFailedError,
  shownError,
  type JobContext,
  type JobOutcome,
  type JobWork,
  type StageRun,
} from "../../../jobs/runner.ts";
import type { JsonObject } from "#contract/values.ts";
import { isStorageAway } from "../../../kit/storage-errors.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { readFields, openingText } from "../find-document.ts";

const store: Stage = async (tools, work) => {
  const { document } = work;
  const found = await tools.blobs.stat(document);
  if (found?.size !== document.size) throw fileMissing();
  await completeStage(tools, work, "store");
};

/** Finds the fields of the document; a value that a user corrected stays. */
const analyze: Stage = async (tools, work) => {
  const { document, job } = work;
  const configured = tools.understanding?.fields;
  const found = await readFields(job.work, document, configured, job.signal);
  const fields = { ...found, ...reviewedFields(document.fields, found) };
  const error = modelErrorOf(fields);
  await completeStage(tools, work, "analyze", { fields }, error);
  return error;
};

function reviewedFields(before: JsonObject | null, found: JsonObject): JsonObject {
  const kept = Object.entries(before ?? {}).filter(
    ([name, field]) => name in found && isJsonObject(field) && field["reviewed"] === true,
  );
  return Object.fromEntries(kept);
}

function modelErrorOf(fields: JsonObject): JobError | undefined {
  const failed = Object.entries(fields).flatMap(([name, field]) => {
    const reason = isJsonObject(field) ? field["modelError"] : undefined;
    return typeof reason === "string" ? [{ name, reason }] : [];
  });
  const [first] = failed;
  if (first === undefined) return undefined;
  const left =
    failed.length === 1 ? `the field ${first.name} is left` : `${failed.length} fields are left`;
  return withoutModel(first.reason, left);
}

/** Finds the kind of a document, or that a person must decide. A user's decision stays. */
const classify: Stage = async (tools, work) => {
  const { document, job } = work;
  const { understanding } = tools;
  if (understanding === undefined || document.classification?.method === "review") {
    return completeStage(tools, work, "classify");
  }
  const text = await openingText(job.work.read, document);
  const classification = await understanding.classify(job.work, document, text, job.signal);
  const { modelError } = classification;
  const error =
    modelError === undefined ? undefined : withoutModel(modelError, "the label is left");
  await completeStage(tools, work, "classify", { classification }, error);
  return error;
};

const stages: Readonly<Record<StageName, Stage>> = {
  store,
  extract,
  classify,
  analyze,
  index: indexPassages,
};

/**
 * Processes the documents of an upload, stage by stage. After a crash or a retry each document
 * continues after its last good stage. A job with failed documents ends as `completed_with_errors`,
 * or as `failed` when all have failed.
 */
export function documentWork(given: StageTools): JobWork {
  const children = new KeptChildren(given.extractionCommand);
  given.lifetime?.onClose(() => children.close());
  const tools: StageTools = { ...given, children };
  return async (job, context) => {
    const payload = documentJobPayload.parse(job.payload);
    const run = new DocumentRun(tools, job.workspaceId, payload, context);
    try {
      return await children.during(job.workspaceId, () => run.work());
    } catch (error) {
      const isLastAttempt = job.attempt >= job.maxAttempts && !context.signal.aborted;
      if (isLastAttempt && !(error instanceof JobFailedError) && !isStorageAway(error)) {
        // If this also fails, `settleDocuments` does it later.
        await run.failAll(shownError(error)).catch(() => {});
      }
      throw error;
    }
  };
}

const shownPages = 20;

function unreadWords(pages: readonly number[]): string {
  const shown = pages.slice(0, shownPages).join(", ");
  const more = pages.length > shownPages ? ` and ${pages.length - shownPages} more` : "";
  return pages.length === 1
    ? `No text was found on page ${shown}, which is only a picture.`
    : `No text was found on the pages ${shown}${more}, which are only pictures.`;
}

interface Failure {
  readonly document: Document;
  readonly error: JobError;
}

class DocumentRun {
  /** The documents that have neither failed nor been deleted. */
  #documents: Document[] = [];
  readonly #failures: Failure[] = [];
  /** Documents that continue without the result of a stage. */
  readonly #incomplete: Failure[] = [];

  constructor(
    private readonly tools: StageTools,
    private readonly workspaceId: string,
    private readonly payload: DocumentJobPayload,
    private readonly job: JobContext,
  ) {}

  get documentIds(): readonly string[] {
    return this.payload.documentIds;
  }

  async work(): Promise<JobOutcome> {
    const found = await this.#stored(this.documentIds);
    this.#documents = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await this.#update({ status: "processing", error: null });
    for (const name of stageNames) {
      await this.job.runStage(name, (run) => this.#stage(name, run));
    }
    await this.#update({ status: "ready" });
    this.#count(this.#documents.length);
    if (this.#failures.length > 0 && this.#documents.length === 0) throw this.#failed();
    const incomplete =
      this.#failures.length > 0 ? undefined : (this.#lacking() ?? (await this.#unread()));
    if (incomplete !== undefined) return { state: "completed_with_errors", error: incomplete };
    if (this.#failures.length === 0) return { state: "succeeded" };
    return { state: "completed_with_errors", error: this.#summary(this.#failures) };
  }

  async failAll(error: JobError): Promise<void> {
    const failed = { code: error.code ?? "internal", message: error.message };
    await this.#update({ status: "failed", error: failed });
  }

  async #stage(name: StageName, run: StageRun): Promise<void> {
    const selected = this.#documents.filter(({ processingMode }) =>
      documentStages(this.payload.mode ?? processingMode).includes(name),
    );
    if (selected.length === 0) return run.skip();
    const before = this.#failures.length;
    const incompleteBefore = this.#incomplete.length;
    let succeeded = 0;
    for (const [index, document] of selected.entries()) {
      this.job.signal.throwIfAborted();
      if (await this.#process(name, document, run, selected.length === 1)) succeeded += 1;
      run.setCounts({ succeeded, failed: this.#failures.length - before });
      if (selected.length > 1) run.progress(index + 1, selected.length, "documents");
    }
    this.#count();
    const failures = this.#failures.slice(before);
    if (failures.length === 0) {
      const lacking = name === "extract" ? await this.#unread() : this.#lacking(incompleteBefore);
      return lacking === undefined ? undefined : run.completeWithErrors(lacking);
    }
    if (this.#documents.length === 0) throw this.#failed();
    // The stage must not succeed, or a retry would skip it.
    await run.completeWithErrors(this.#summary(failures));
  }

  /** The first error of the documents that continued without the result of a stage. */
  #lacking(from = 0): JobError | undefined {
    const found = this.#incomplete.slice(from);
    const [first] = found;
    if (first === undefined || this.documentIds.length === 1) return first?.error;
    const count = new Set(found.map(({ document }) => document.id)).size;
    const of = `${count} of ${this.documentIds.length} documents`;
    const { error, document } = first;
    return { ...error, message: `${of} are incomplete. ${document.filename}: ${error.message}` };
  }

  /** Pages without text, or content left out, as stored: an interrupted job ends the same way. */
  async #unread(): Promise<JobError | undefined> {
    const documents = await this.#stored(this.#documents.map(({ id }) => id));
    const first = documents.find(
      ({ properties }) =>
        (properties?.unreadPages ?? []).length > 0 || properties?.leftOut !== undefined,
    );
    if (first === undefined) return undefined;
    const { unreadPages = [], leftOut } = first.properties ?? {};
    const isOfPages = unreadPages.length > 0 || leftOut === undefined;
    const message = isOfPages ? unreadWords(unreadPages) : leftOut;
    const isAlone = this.documentIds.length === 1;
    return {
      code: isOfPages ? "pages-without-text" : "content-left-out",
      message: isAlone ? message : `${first.filename}: ${message}`,
    };
  }

  /** No document is left to continue with. */
  #failed(): JobFailedError {
    const { code = "failed", message } = this.#summary(this.#failures);
    return new JobFailedError(message, code);
  }

  /** True if the document has passed the stage. A deleted one has neither passed nor failed. */
  async #process(
    name: StageName,
    document: Document,
    run: StageRun,
    isAlone: boolean,
  ): Promise<boolean> {
    const [current] = await this.#stored([document.id]);
    if (current === undefined) return this.#exclude(document);
    if (current.doneStages.includes(name)) return true;
    try {
      const error = await stages[name](this.tools, {
        document: current,
        job: this.job,
        progress: (done, total, unit) => {
          if (isAlone) run.progress(done, total, unit);
        },
      });
      if (error !== undefined) this.#incomplete.push({ document: current, error });
      return true;
    } catch (error) {
      if (error instanceof DocumentGoneError) return this.#exclude(document);
      if (!(error instanceof DocumentFailedError)) throw error;
      const { code, message } = error;
      this.#failures.push({ document, error: { code, message } });
      this.#exclude(document);
      await this.job.write(async (tx) => {
        const indexStatus = current.indexStatus === "pending" ? "failed" : current.indexStatus;
        const changes = { status: "failed", error: { code, message }, indexStatus } as const;
        await updateDocument(tx, document, changes, this.tools.now());
      });
      return false;
    }
  }

  #stored(ids: readonly string[]): Promise<Document[]> {
    return documentsByIds(this.job.work.read, this.workspaceId, ids);
  }

  #exclude(document: Document): false {
    this.#documents = this.#documents.filter(({ id }) => id !== document.id);
    return false;
  }

  async #update(changes: Parameters<typeof updateDocument>[2]): Promise<void> {
    await this.job.write(async (tx) => {
      for (const document of this.#documents) {
        await updateDocument(tx, document, changes, this.tools.now());
      }
    });
  }

  #count(succeeded = 0): void {
    this.job.setCounts({
      documents: this.documentIds.length,
      succeeded,
      failed: this.#failures.length,
    });
  }

  /** The error of a single document, or the number of failures with the first error. */
  #summary(failures: readonly Failure[]): JobError {
    const all = this.documentIds.length;
    const [first] = failures;
    if (first === undefined) throw new TypeError("no document has failed");
    const { document, error } = first;
    if (all === 1) return error;
    return {
      code: error.code ?? "failed",
      message: `${failures.length} of ${all} documents failed. ${document.filename}: ${error.message}`,
    };
  }
}

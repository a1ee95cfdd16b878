import type { UploadAccepted, UploadFields } from "#contract/documents/upload.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { KeyedLock } from "../../../kit/turns/keyed-lock.ts";
import type { BlobStore, StagedBlob } from "../../../files/blob-store.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import type { Reader } from "../../../database/database.ts";
import type { BlobRemovals } from "../../../files/blob-removals.ts";
import type { RecordLookup } from "../../records/service.ts";
import type { Facts, Work } from "../../../work/work.ts";
import { countWaitingJobs } from "../store/document-jobs.ts";
import { acceptUpload, type UploadedFile } from "./accept-upload.ts";
import type { WorkflowGate } from "../../workflow-gate.ts";
import { requireWorkflow, resolveUploadScope, type UploadScope } from "./upload-scope.ts";

/** Document uploads: scope, bytes, acceptance (spec 2.5, 2.8, part 3, 4.1). */
export class DocumentUploads {
  /** One acceptance per workspace at a time, so that a failed one can remove its files. */
  readonly #acceptances = new KeyedLock();

  constructor(private readonly options: DocumentUploadOptions) {}

  /** Makes all checks that need no file. */
  async begin(work: Work, workspaceId: string, fields: UploadFields): Promise<OpenUpload> {
    const { records, readiness, waitingJobs, gate } = this.options;
    await requireRoomInQueue(work.read, workspaceId, waitingJobs);
    await requireWorkflow(work, gate, workspaceId, fields);
    const scope = await resolveUploadScope(work, records, workspaceId, fields);
    if (readiness !== undefined) {
      await requireReadiness(work, readiness, workspaceId, fields, scope);
    }
    return new OpenUpload(this.options, this.#acceptances, { work, workspaceId, fields, scope });
  }
}

export interface DocumentUploadOptions {
  readonly blobs: BlobStore;
  readonly removals: BlobRemovals;
  readonly jobs: JobRunner;
  readonly records: RecordLookup;
  /** Checks a workflow; every one counts as ready without it. */
  readonly readiness?: ClassificationReadiness | undefined;
  /** Every workflow may be used without it. */
  readonly gate?: WorkflowGate | undefined;
  readonly now: () => Date;
  /** Maximum number of jobs of a workspace that wait. */
  readonly waitingJobs: number;
  /** Maximum number of bytes of all files together. */
  readonly limitBytes: number;
}

type FileContent = AsyncIterable<Uint8Array>;

interface Begun {
  readonly work: Work;
  readonly workspaceId: string;
  readonly fields: UploadFields;
  readonly scope: UploadScope;
}

/** An upload that receives its files. Call `discard` at the end, accepted or not. */
export class OpenUpload {
  readonly #files: UploadedFile[] = [];
  #isWithdrawn = false;

  constructor(
    private readonly options: DocumentUploadOptions,
    private readonly acceptances: KeyedLock,
    private readonly begun: Begun,
  ) {}

  async take(
    { content, ...named }: Omit<UploadedFile, "staged"> & { readonly content: FileContent },
    signal: AbortSignal,
  ): Promise<void> {
    this.#files.push({ ...named, staged: await this.#stage(content, signal) });
  }

  async #stage(content: FileContent, signal: AbortSignal): Promise<StagedBlob> {
    const { blobs, limitBytes } = this.options;
    const taken = this.#files.reduce((sum, { staged }) => sum + staged.size, 0);
    const left = { limitBytes: limitBytes - taken, signal };
    try {
      return await blobs.stage(this.begun.workspaceId, content, left);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "content-too-large") throw error;
      // The store only knows the bytes that remain for this file, not the limit of the upload.
      throw new Refusal("content-too-large", {
        detail: `The files of an upload may have at most ${limitBytes} bytes in total`,
        members: { limitBytes },
      });
    }
  }

  /** The content of the form, for `Idempotency-Key`. */
  get fingerprint(): string {
    const fields = Object.entries(this.begun.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const files = this.#files.map(({ filename, mediaType, staged }) => [
      filename,
      mediaType,
      staged.address.sha256,
    ]);
    return JSON.stringify([fields, files]);
  }

  accept(remember: (accepted: UploadAccepted, facts: Facts) => void): Promise<UploadAccepted> {
    const { work, ...begun } = this.begun;
    const upload = { ...begun, files: this.#files };
    return this.acceptances.run(begun.workspaceId, async () => {
      try {
        return await acceptUpload(work, upload, this.options, remember);
      } catch (error) {
        await this.#withdraw();
        throw error;
      }
    });
  }

  /** Removes staged files; accepted files stay. */
  async discard(): Promise<void> {
    if (this.#isWithdrawn) return;
    await Promise.all(this.#files.map(({ staged }) => staged.discard()));
  }

  /** Removes published files when their documents cannot be created. */
  async #withdraw(): Promise<void> {
    this.#isWithdrawn = true;
    await this.options.removals.takeBack(this.#files.map(({ staged }) => staged));
  }
}

const retryAfterSeconds = 30;

/** Refuses further jobs of a workspace whose queue is full, before any byte is stored. */
export async function requireRoomInQueue(
  reader: Reader,
  workspaceId: string,
  waitingJobs: number,
): Promise<void> {
  if ((await countWaitingJobs(reader, workspaceId, waitingJobs)) < waitingJobs) return;
  throw new Refusal("rate-limited", {
    detail:
      `The queue of this workspace is full: ${waitingJobs} jobs wait. Send the files again when ` +
      "some of them have ended",
    headers: { "retry-after": String(retryAfterSeconds) },
    members: { waitingJobs },
  });
}

/** The parts of a standalone classification that are configured one by one. */
export interface MissingPart {
  readonly part: "classifier" | "schemas" | "storage";
  readonly fault: string;
}

/** Returns the parts that a workflow lacks to classify; another domain implements it. */
export type ClassificationReadiness = (
  work: Work,
  workflow: {
    readonly workspaceId: string;
    readonly lifecycle: string;
    readonly context: { readonly vertical_key?: string; readonly workflow_key?: string };
  },
) => Promise<readonly MissingPart[]>;

const nextSteps: Readonly<Record<MissingPart["part"], string>> = {
  classifier: "publish one (svc classifier put), then target it (svc classifier target)",
  schemas: "configure one with its fields (svc docs configure-type)",
  storage: "free space, then send the files again",
};

/**
 * Refuses a classification for a workflow alone, without a parent record, that can not succeed
 * (spec 4.1 rule 6). A published classifier is only one of the parts.
 */
async function requireReadiness(
  work: Work,
  readiness: ClassificationReadiness,
  workspaceId: string,
  { processing_mode: mode, ...fields }: UploadFields,
  { lifecycle, context }: UploadScope,
): Promise<void> {
  const hasParent =
    fields.planning_application_id !== undefined || fields.business_request_id !== undefined;
  if (mode !== "classification" || hasParent) return;
  const missing = await readiness(work, { workspaceId, lifecycle, context });
  if (missing.length === 0) return;
  const faults = missing.map(({ part, fault }) => `${fault}: ${nextSteps[part]}`);
  throw new Refusal("classification-not-ready", {
    detail: `The workflow cannot classify documents yet: ${faults.join("; ")}`,
    errors: faults.map((detail) => ({ pointer: pointer("workflow_key"), detail })),
    members: { missing: missing.map(({ part }) => part) },
  });
}

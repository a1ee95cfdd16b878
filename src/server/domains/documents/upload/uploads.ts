import type { UploadAccepted, UploadFields } from "#contract/documents/upload.ts";
import { Refusal } from "#contract/problems.ts";
import { KeyedLock } from "../../../kit/turns/keyed-lock.ts";
import type { BlobStore, StagedBlob } from "../../../files/blob-store.ts";
import type { FilePart } from "../../../http/body/multipart.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import type { Database } from "../../../database/database.ts";
import type { BlobRemovals } from "../../../files/blob-removals.ts";
import type { RecordLookup } from "../../records/service.ts";
import { acceptUpload, type UploadedFile } from "./accept-upload.ts";
import { claimedMediaType } from "../../../http/body/claimed-media-type.ts";
import { requireRoomInQueue } from "./queue-bound.ts";
import { requireReadiness, type ClassificationReadiness } from "./readiness.ts";
import { resolveUploadScope, type UploadScope } from "./upload-scope.ts";

/** Document uploads: scope, bytes, acceptance (spec 2.5, 2.8, part 3, 4.1). */
export class DocumentUploads {
  /** One acceptance per workspace at a time, so that a failed one can remove its files. */
  readonly #acceptances = new KeyedLock();

  constructor(private readonly options: DocumentUploadOptions) {}

  /** Makes all checks that need no file. */
  async begin(workspaceId: string, oid: string, fields: UploadFields): Promise<OpenUpload> {
    const { records, readiness, database, waitingJobs } = this.options;
    await requireRoomInQueue(database.read, workspaceId, waitingJobs);
    const scope = await resolveUploadScope(records, workspaceId, fields);
    if (readiness !== undefined) await requireReadiness(readiness, workspaceId, fields, scope);
    return new OpenUpload(this.options, this.#acceptances, { workspaceId, oid, fields, scope });
  }
}

export interface DocumentUploadOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly removals: BlobRemovals;
  readonly jobs: JobRunner;
  readonly records: RecordLookup;
  /** Without it every workflow counts as ready. */
  readonly readiness?: ClassificationReadiness | undefined;
  readonly now: () => Date;
  /** Maximum number of jobs of a workspace that wait. */
  readonly waitingJobs: number;
  /** Maximum number of bytes of all files together. */
  readonly limitBytes: number;
}

interface Begun {
  readonly workspaceId: string;
  readonly oid: string;
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

  async take({ filename, contentType, content }: FilePart, signal: AbortSignal): Promise<void> {
    const staged = await this.#stage(content, signal);
    this.#files.push({ filename, mediaType: claimedMediaType(contentType, filename), staged });
  }

  async #stage(content: FilePart["content"], signal: AbortSignal): Promise<StagedBlob> {
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

  async accept(remember: (accepted: UploadAccepted) => void): Promise<UploadAccepted> {
    const { database, now, jobs } = this.options;
    const upload = { ...this.begun, files: this.#files };
    const accepted = await this.acceptances.run(this.begun.workspaceId, async () => {
      try {
        return await acceptUpload(database, upload, now(), remember);
      } catch (error) {
        await this.#withdraw();
        throw error;
      }
    });
    jobs.wake();
    return accepted;
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

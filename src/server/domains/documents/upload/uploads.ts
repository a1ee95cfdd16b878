import type { UploadAccepted, UploadFields } from "#contract/documents/upload.ts";
import { Refusal } from "#contract/problems.ts";
import { KeyedLock } from "../../../kit/keyed-lock.ts";
import type { BlobStore, StagedBlob } from "../../../files/blob-store.ts";
import type { FilePart } from "../../../http/body/multipart.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import type { Database } from "../../../database/database.ts";
import type { BlobRemovals } from "../../../files/blob-removals.ts";
import type { RecordLookup } from "../../records/service.ts";
import { acceptUpload } from "./upload.ts";
import type { UploadedFile } from "./upload.ts";
import { claimedMediaType } from "./upload-metadata.ts";
import { resolveUploadScope } from "./upload-scope.ts";
import type { UploadScope } from "./upload-scope.ts";

/** Taking documents in: scope, bytes, acceptance (spec 2.5, 2.8, part 3, 4.1). */
export class DocumentUploads {
  readonly #options: DocumentUploadOptions;
  /** One acceptance of a workspace at a time: a failed one may then take its files back. */
  readonly #acceptances = new KeyedLock();

  constructor(options: DocumentUploadOptions) {
    this.#options = options;
  }

  /** Everything that can be refused before a byte of a file is taken. */
  async begin(workspaceId: string, oid: string, fields: UploadFields): Promise<OpenUpload> {
    const scope = await resolveUploadScope(this.#options.records, workspaceId, fields);
    return new OpenUpload(this.#options, this.#acceptances, { workspaceId, oid, fields, scope });
  }
}

export interface DocumentUploadOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly removals: BlobRemovals;
  readonly jobs: JobRunner;
  readonly records: RecordLookup;
  readonly now: () => Date;
  /** Bytes of all files of one upload. */
  readonly limitBytes: number;
}

interface Begun {
  readonly workspaceId: string;
  readonly oid: string;
  readonly fields: UploadFields;
  readonly scope: UploadScope;
}

/** An upload whose files are on their way. End it with `discard`, accepted or not. */
export class OpenUpload {
  readonly #options: DocumentUploadOptions;
  readonly #acceptances: KeyedLock;
  readonly #begun: Begun;
  readonly #files: UploadedFile[] = [];
  /** Set when the files have been taken back, or will be. */
  #isWithdrawn = false;

  constructor(options: DocumentUploadOptions, acceptances: KeyedLock, begun: Begun) {
    this.#options = options;
    this.#acceptances = acceptances;
    this.#begun = begun;
  }

  async take({ filename, contentType, content }: FilePart, signal: AbortSignal): Promise<void> {
    const staged = await this.#stage(content, signal);
    this.#files.push({ filename, mediaType: claimedMediaType(contentType, filename), staged });
  }

  async #stage(content: FilePart["content"], signal: AbortSignal): Promise<StagedBlob> {
    const { blobs, limitBytes } = this.#options;
    const taken = this.#files.reduce((sum, { staged }) => sum + staged.size, 0);
    const left = { limitBytes: limitBytes - taken, signal };
    try {
      return await blobs.stage(this.#begun.workspaceId, content, left);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "content-too-large") throw error;
      // The store knows what was left for this file, which is no limit that anybody could keep to.
      throw new Refusal("content-too-large", {
        detail: `The files of an upload may have at most ${limitBytes} bytes together`,
        members: { limitBytes },
      });
    }
  }

  /** What was sent, apart from the form's boundary: for `Idempotency-Key`. */
  get fingerprint(): string {
    const fields = Object.entries(this.#begun.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const files = this.#files.map(({ filename, mediaType, staged }) => [
      filename,
      mediaType,
      staged.address.sha256,
    ]);
    return JSON.stringify([fields, files]);
  }

  /** Documents and job are durable when this resolves. */
  async accept(remember: (accepted: UploadAccepted) => void): Promise<UploadAccepted> {
    const { database, now, jobs } = this.#options;
    const upload = { ...this.#begun, files: this.#files };
    const accepted = await this.#acceptances.run(this.#begun.workspaceId, async () => {
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

  /** Forgets what was staged; a file that was accepted stays. */
  async discard(): Promise<void> {
    if (this.#isWithdrawn) return;
    await Promise.all(this.#files.map(({ staged }) => staged.discard()));
  }

  /** Takes back files that were published for documents that then could not be made. */
  async #withdraw(): Promise<void> {
    this.#isWithdrawn = true;
    await this.#options.removals.takeBack(this.#files.map(({ staged }) => staged));
  }
}

import { basename } from "node:path";
import type { Client, ProcessingMode, Resource } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { failureLine, failureOf, isAbort } from "../../kit/answers/failure.ts";
import { fileSize } from "../../kit/files/files.ts";
import { Store, type Followed } from "../../kit/state/store.ts";
import type { Upload, Uploads } from "../../shell/use-uploads.ts";
import { canBelongTo, contextOf, type UploadContext } from "./upload-context.ts";
import { UploadQueue } from "./upload-queue.ts";
import { UploadQuestions, type UploadHost } from "./upload-questions.ts";

/** Files that are sent together, and how many of them have ended. */
interface Batch {
  size: number;
  ended: number;
  failed: number;
}

interface UploadOrder {
  readonly path: string;
  readonly context: UploadContext;
  readonly mode: ProcessingMode;
  readonly tenantId: string;
  /** Absent for a file that is sent alone. */
  readonly batch?: Batch;
  readonly isRetry?: boolean;
}

interface SentUpload extends Upload {
  readonly order: UploadOrder;
}

const progressMs = 200;
const maximumUploads = 1_000;
const sentAtOnce = 3;
const endedShownMs = 6_000;

function isSending({ state }: Upload): boolean {
  return state === "sending";
}

async function sendFile(
  client: Client,
  { path, context, mode, tenantId }: UploadOrder,
  options: {
    readonly totalBytes: number;
    readonly signal: AbortSignal;
    readonly onProgress: (sentBytes: number) => void;
  },
) {
  const file = Bun.file(path);
  let drawnAt = 0;
  const outcome = await client.useDocuments(tenantId).upload(
    {
      filename: basename(path),
      contentType: file.type,
      content: { size: options.totalBytes, stream: () => file.stream() },
    },
    { ...context.metadata, processingMode: mode },
    {
      signal: options.signal,
      onProgress: (sentBytes) => {
        if (performance.now() - drawnAt < progressMs) return;
        drawnAt = performance.now();
        options.onProgress(sentBytes);
      },
    },
  );
  return outcome.accepted();
}

/** The uploads of this session. Leaving the dashboard aborts running ones. */
export class SentUploads implements Uploads {
  readonly #host: UploadHost;
  readonly #questions: UploadQuestions;
  readonly #uploads = new Store<readonly SentUpload[]>([]);
  readonly #aborters = new Map<number, AbortController>();
  readonly #queue = new UploadQueue<UploadOrder>((order) => this.#send(order), sentAtOnce);
  readonly list: Followed<readonly Upload[]> = this.#uploads;
  readonly waiting = this.#queue.count;
  #lastId = 0;

  constructor(host: UploadHost) {
    this.#host = host;
    this.#questions = new UploadQuestions(host, (paths, context, mode) => {
      const { tenantId } = host.platform.state.get();
      if (tenantId === undefined) return;
      const order = { context, mode, tenantId };
      const batch =
        paths.length === 1 ? {} : { batch: { size: paths.length, ended: 0, failed: 0 } };
      this.#queue.add(paths.map((path) => ({ path, ...order, ...batch })));
      host.router.go({ place: "jobs" });
    });
  }

  end(): void {
    this.#queue.drop();
    for (const aborter of this.#aborters.values()) aborter.abort();
  }

  readonly start = (): void => this.#questions.start();
  readonly canStartFor = canBelongTo;
  readonly startFor = (objectType: string, record: Resource): void => {
    const context = contextOf(objectType, record);
    if (context !== undefined) this.#questions.startWith(context);
  };

  readonly stop = (): void => {
    const dropped = this.#queue.drop();
    for (const { batch } of dropped) if (batch !== undefined) batch.size -= 1;
    if (dropped.length > 0) {
      const words = `${counted(dropped.length, "file")} that waited are not sent`;
      this.#host.notices.say("note", words);
    }
    const newest = this.#uploads.get().find(isSending);
    if (newest !== undefined) this.#aborters.get(newest.id)?.abort();
  };

  readonly canSendAgain = (): boolean => this.#failed().length > 0;
  readonly sendAgain = (): void => {
    const failed = this.#failed();
    // Removed at once, so that a key pressed twice sends each file once.
    for (const { id } of failed) this.#remove(id);
    const batch = { size: failed.length, ended: 0, failed: 0 };
    this.#queue.add(
      failed.map(({ order: { batch: _, ...order } }) => ({
        ...order,
        isRetry: true,
        ...(failed.length === 1 ? {} : { batch }),
      })),
    );
  };

  #failed(): readonly SentUpload[] {
    const { tenantId } = this.#host.platform.state.get();
    return this.#uploads
      .get()
      .filter(({ state, order }) => state === "failed" && order.tenantId === tenantId);
  }

  async #send(order: UploadOrder): Promise<void> {
    const { platform, notices } = this.#host;
    const { client } = platform.state.get();
    if (client === undefined) return;
    const { path, batch, isRetry = false } = order;
    const filename = basename(path);
    const totalBytes = await fileSize(path);
    if (totalBytes === undefined) {
      if (batch !== undefined) this.#endedIn(batch, false);
      return notices.say("failed", `There is no file ${path}`);
    }
    const keepsEnded = isRetry || batch !== undefined;
    const { id, signal } = this.#add({ filename, totalBytes, order }, keepsEnded);
    try {
      const accepted = await sendFile(client, order, {
        totalBytes,
        signal,
        onProgress: (sentBytes) => this.#change(id, { sentBytes }),
      });
      this.#change(id, { state: "accepted", sentBytes: totalBytes, jobId: accepted.jobId });
      this.#removeLater(id);
      if (batch === undefined) this.#accepted(accepted, filename);
      else this.#endedIn(batch, true);
    } catch (error) {
      this.#failedWith(error, id, { filename, batch });
    } finally {
      this.#aborters.delete(id);
    }
  }

  #accepted(
    { jobId, documentNumber, documentId, duplicateOf }: Awaited<ReturnType<typeof sendFile>>,
    filename: string,
  ): void {
    const { notices, router } = this.#host;
    const name = documentNumber ?? documentId ?? filename;
    if (duplicateOf === undefined) {
      notices.say("done", `accepted as ${name}; its job is in the list`);
    } else {
      notices.say("note", `these bytes are already stored as ${name}; nothing was run again`);
    }
    // The upload may have taken long: the user may have left the jobs.
    if (router.route().place === "jobs") router.go({ place: "jobs", jobId });
  }

  /** Counts an ended file of a batch, and reports the last one. */
  #endedIn(batch: Batch, isGood: boolean): void {
    batch.ended += 1;
    if (!isGood) batch.failed += 1;
    if (batch.ended < batch.size) return;
    const { say } = this.#host.notices;
    const sent = `sent ${counted(batch.size - batch.failed, "file")}`;
    if (batch.failed === 0) say("done", `${sent}; their jobs are in the list`);
    else say("failed", `${sent}; ${counted(batch.failed, "file")} did not arrive`);
  }

  #failedWith(
    error: unknown,
    id: number,
    { filename, batch }: { readonly filename: string; readonly batch: Batch | undefined },
  ): void {
    const { say } = this.#host.notices;
    if (!isAbort(error)) {
      this.#change(id, { state: "failed", failure: failureOf(error) });
      if (batch !== undefined) return this.#endedIn(batch, false);
      return say("failed", `${filename} was not uploaded: ${failureLine(error)}`);
    }
    this.#change(id, { state: "stopped" });
    this.#removeLater(id);
    if (batch !== undefined) this.#endedIn(batch, false);
    say("note", `stopped ${filename}; if all of it was sent, its job is in the list`);
  }

  /** Adds an upload that starts. `keepEnded` keeps the failed uploads in the list. */
  #add(
    upload: Pick<SentUpload, "filename" | "totalBytes" | "order">,
    keepEnded: boolean,
  ): { readonly id: number; readonly signal: AbortSignal } {
    this.#lastId += 1;
    const id = this.#lastId;
    const aborter = new AbortController();
    this.#aborters.set(id, aborter);
    const added: SentUpload = {
      ...upload,
      id,
      sentBytes: 0,
      state: "sending",
      jobId: undefined,
      failure: undefined,
    };
    this.#uploads.set((now) => {
      const others = keepEnded ? now : now.filter(isSending);
      return [added, ...others].slice(0, maximumUploads);
    });
    return { id, signal: aborter.signal };
  }

  #change(id: number, part: Partial<SentUpload>): void {
    this.#uploads.set((now) =>
      now.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)),
    );
  }

  #remove(id: number): void {
    this.#uploads.set((now) => now.filter((upload) => upload.id !== id));
  }

  /** Takes an ended upload out of the list after a while. Does not delay the exit. */
  #removeLater(id: number): void {
    setTimeout(() => this.#remove(id), endedShownMs).unref();
  }
}

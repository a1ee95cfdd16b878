import { basename } from "node:path";
import type { Client, ProcessingMode, Resource } from "#client/index.ts";
import { failureLine, failureOf, isAbort } from "../../kit/answers/failure.ts";
import { fileSize } from "../../kit/files/files.ts";
import { Store, type Followed } from "../../kit/state/store.ts";
import type { Upload, Uploads } from "../../shell/use-uploads.ts";
import { canBelongTo, contextOf, type UploadContext } from "./upload-context.ts";
import { UploadQuestions, type UploadHost } from "./upload-questions.ts";

interface UploadOrder {
  readonly path: string;
  readonly context: UploadContext;
  readonly mode: ProcessingMode;
  readonly tenantId: string;
}

interface SentUpload extends Upload {
  readonly order: UploadOrder;
}

const progressMs = 200;
const maximumUploads = 20;
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
  readonly list: Followed<readonly Upload[]> = this.#uploads;
  #lastId = 0;

  constructor(host: UploadHost) {
    this.#host = host;
    this.#questions = new UploadQuestions(host, (path, context, mode) => {
      const { tenantId } = host.platform.state.get();
      if (tenantId !== undefined) void this.#send({ path, context, mode, tenantId });
    });
  }

  end(): void {
    for (const aborter of this.#aborters.values()) aborter.abort();
  }

  readonly start = (): void => this.#questions.start();
  readonly canStartFor = canBelongTo;
  readonly startFor = (objectType: string, record: Resource): void => {
    const context = contextOf(objectType, record);
    if (context !== undefined) this.#questions.startWith(context);
  };

  readonly stop = (): void => {
    const newest = this.#uploads.get().find(isSending);
    if (newest !== undefined) this.#aborters.get(newest.id)?.abort();
  };

  readonly canSendAgain = (): boolean => this.#failed() !== undefined;
  readonly sendAgain = (): void => {
    const failed = this.#failed();
    if (failed === undefined) return;
    // Removed at once, so that a key pressed twice sends the file once.
    this.#remove(failed.id);
    void this.#send(failed.order, true);
  };

  #failed(): SentUpload | undefined {
    const { tenantId } = this.#host.platform.state.get();
    return this.#uploads
      .get()
      .find(({ state, order }) => state === "failed" && order.tenantId === tenantId);
  }

  async #send(order: UploadOrder, isRetry = false): Promise<void> {
    const { platform, notices, router } = this.#host;
    const { client } = platform.state.get();
    if (client === undefined) return;
    const { path } = order;
    const filename = basename(path);
    const totalBytes = await fileSize(path);
    if (totalBytes === undefined) return notices.say("failed", `There is no file ${path}`);
    const { id, signal } = this.#add({ filename, totalBytes, order }, isRetry);
    router.go({ place: "jobs" });
    try {
      const { jobId, documentNumber, documentId, duplicateOf } = await sendFile(client, order, {
        totalBytes,
        signal,
        onProgress: (sentBytes) => this.#change(id, { sentBytes }),
      });
      this.#change(id, { state: "accepted", sentBytes: totalBytes, jobId });
      this.#removeLater(id);
      const name = documentNumber ?? documentId ?? filename;
      if (duplicateOf === undefined) {
        notices.say("done", `accepted as ${name}; its job is in the list`);
      } else {
        notices.say("note", `these bytes are already stored as ${name}; nothing was run again`);
      }
      // The upload may have taken long: the user may have left the jobs.
      if (router.route().place === "jobs") router.go({ place: "jobs", jobId });
    } catch (error) {
      this.#failedWith(error, id, filename);
    } finally {
      this.#aborters.delete(id);
    }
  }

  #failedWith(error: unknown, id: number, filename: string): void {
    const { say } = this.#host.notices;
    if (!isAbort(error)) {
      this.#change(id, { state: "failed", failure: failureOf(error) });
      return say("failed", `${filename} was not uploaded: ${failureLine(error)}`);
    }
    this.#change(id, { state: "stopped" });
    this.#removeLater(id);
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

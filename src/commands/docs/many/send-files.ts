import type { Documents } from "#client/documents/documents.ts";
import { catalogError, CatalogError } from "#contract/errors.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import type { JournalAnswer, JournalEntry } from "#local/configuration/upload-journal.ts";
import { sleep } from "#lib/time/sleep.ts";
import { jitteredPauseMs } from "#lib/time/retry.ts";
import type { DocumentRecord } from "#contract/documents/records.ts";
import type { CommandContext } from "../../kit/context.ts";
import { mediaTypeOf } from "../../kit/input/files.ts";
import type { FoundFile } from "./find-files.ts";
import { inParallel, type Run } from "./run.ts";

const contextNames = [
  "planning_application_id",
  "business_request_id",
  "assess_case_id",
  "vertical_key",
  "workflow_key",
] as const;

/** `sent-before`: an earlier run sent it. `unknown`: it may have been accepted. */
export type FileOutcome =
  | "accepted"
  | "duplicate"
  | "sent-before"
  | "failed"
  | "unknown"
  | "not-sent";

export interface SentFile {
  readonly file: FoundFile;
  readonly outcome: FileOutcome;
  readonly answer?: JournalAnswer | undefined;
  readonly error?: CatalogError | undefined;
}

/** Requests at the same time. */
const parallelUploads = 3;
/** A platform that refuses this many files in a row has a problem with all of them. */
const failuresInARow = 5;
const busyAttempts = 6;
const firstBusyPauseMs = 500;
const longestBusyPauseMs = 30_000;

/**
 * Sends each file with one request and notes it in the journal. A file that an earlier run sent is
 * not sent again; where that is not known, the platform's records decide. Throws a failure that no
 * file can pass, e.g. E101, if no file was accepted before it.
 */
export async function sendFiles(
  context: CommandContext,
  files: readonly FoundFile[],
  run: Run,
): Promise<SentFile[]> {
  const sender = new Sender(context, files, run);
  await inParallel(files, parallelUploads, (file) => sender.send(file));
  return sender.results();
}

class Sender {
  readonly #documents: Documents;
  readonly #results = new Map<FoundFile, SentFile>();
  readonly #sentBytes = new Map<FoundFile, number>();
  readonly #totalBytes: number;
  #inARow = 0;
  #stop: CatalogError | undefined;

  constructor(
    private readonly context: CommandContext,
    private readonly files: readonly FoundFile[],
    private readonly run: Run,
  ) {
    this.#documents = run.client.useDocuments();
    this.#totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  }

  /** The outcomes in the order of the files. */
  results(): SentFile[] {
    const isAnySent = [...this.#results.values()].some(({ answer }) => answer !== undefined);
    if (this.#stop !== undefined && !isAnySent) throw this.#stop;
    return this.files.map(
      (file): SentFile => this.#results.get(file) ?? { file, outcome: "not-sent" },
    );
  }

  async send(file: FoundFile): Promise<void> {
    this.context.signal.throwIfAborted();
    if (this.#stop !== undefined) return;
    const result = await this.#result(file);
    this.#results.set(file, result);
    this.#sentBytes.set(file, file.size);
    this.#show();
    const { error } = result;
    // The platform has refused only what was sent.
    if (file.unreadable !== undefined) return;
    this.#inARow = error === undefined ? 0 : this.#inARow + 1;
    if (error !== undefined && (failsEveryFile(error) || this.#inARow >= failuresInARow)) {
      this.#stop ??= error;
    }
  }

  async #result(file: FoundFile): Promise<SentFile> {
    const { journal } = this.run;
    if (file.unreadable !== undefined) {
      const error = catalogError("E305", { details: `${file.shown} ${file.unreadable}` });
      return { file, outcome: "failed", error };
    }
    const known = journal.find(file);
    if (known?.answer !== undefined) {
      return { file, outcome: "sent-before", answer: known.answer };
    }
    try {
      if (known !== undefined) {
        const answer = await acceptedBefore(this.context, file, this.run);
        if (answer !== undefined) {
          journal.note(file, { key: known.key, answer });
          return { file, outcome: "sent-before", answer };
        }
      }
      return await this.#upload(file, {
        key: known?.key ?? crypto.randomUUID(),
        answer: undefined,
      });
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      const isRefused = error.code !== "E201" && error.code !== "E203";
      if (isRefused && known === undefined) journal.forget(file);
      return { file, outcome: isRefused ? "failed" : "unknown", error };
    }
  }

  async #upload(file: FoundFile, entry: JournalEntry): Promise<SentFile> {
    const { journal, metadata, verb } = this.run;
    const { signal } = this.context;
    for (let attempt = 1; ; attempt += 1) {
      const content = Bun.file(file.path);
      if (content.size !== file.size) {
        throw catalogError("E305", { details: `${file.shown} changed during this run` });
      }
      journal.note(file, entry);
      const contentType = mediaTypeOf(file.path);
      const sent = await this.#documents[verb](
        { filename: file.filename, contentType, content },
        metadata,
        { signal, idempotencyKey: entry.key, onProgress: (bytes) => this.#show(file, bytes) },
      );
      // 429: the platform has stored nothing, and says when to come again.
      if (sent.status === 429 && attempt < busyAttempts) {
        await sent.response.body?.cancel();
        const asked = Number(sent.response.headers.get("retry-after")) * 1000;
        const pauseMs = jitteredPauseMs(attempt, firstBusyPauseMs, longestBusyPauseMs);
        await sleep(Math.min(longestBusyPauseMs, Math.max(pauseMs, asked || 0)), signal);
        continue;
      }
      const answer = answerOf(await sent.accepted());
      journal.note(file, { ...entry, answer });
      const outcome = answer.duplicateOf === undefined ? "accepted" : "duplicate";
      return { file, outcome, answer };
    }
  }

  #show(file?: FoundFile, bytes = 0): void {
    if (file !== undefined) this.#sentBytes.set(file, Math.min(bytes, file.size));
    const sum = [...this.#sentBytes.values()].reduce((all, sent) => all + sent, 0);
    const percent = this.#totalBytes === 0 ? 100 : Math.floor((100 * sum) / this.#totalBytes);
    const done = `${this.#results.size} of ${this.files.length} files`;
    const name = file === undefined ? "" : `  ${file.shown}`;
    void this.context.output.progress(`Sending: ${done}, ${percent} %${name}`);
  }
}

function answerOf(accepted: UploadAccepted): JournalAnswer {
  const { jobId, documentId, documentNumber, duplicateOf } = accepted;
  return { jobId, documentId, documentNumber, duplicateOf };
}

/** Refusals of the context, which every file of the run has. */
const contextRefusals: ReadonlySet<unknown> = new Set([
  "classification-not-ready",
  "document-context-missing",
  "unsupported-processing-mode",
]);

function failsEveryFile({ code, problem }: CatalogError): boolean {
  if (/^E10\d$/.test(code) || code === "E201" || code === "E204") return true;
  return contextRefusals.has(problem?.["code"]);
}

/**
 * The document of a file whose earlier request has no known outcome; undefined if the platform has
 * none with these bytes in this context. Throws E203 when that can't be found out: the file is then
 * not sent again.
 */
async function acceptedBefore(
  { signal }: CommandContext,
  file: FoundFile,
  { client, metadata, verb }: Run,
): Promise<JournalAnswer | undefined> {
  const sha256 = await digestOf(file, signal);
  const processingMode = verb === "upload" ? "full" : "classification";
  const where: Record<string, string> = { sha256, processingMode };
  for (const name of contextNames) {
    const value = metadata[name];
    if (value !== undefined) where[`context.${name}`] = value;
  }
  const list = await client
    .useDocuments()
    .list({ where, limit: 1, signal })
    .catch((error: unknown) => {
      if (!(error instanceof CatalogError) || error.code === "E201") throw error;
      const sent = `an earlier run may have sent ${file.shown}`;
      const details = `${sent}, and the documents can't be listed`;
      throw catalogError(
        "E203",
        { details },
        { cause: error, hint: "Look for it, or send it again with --again" },
      );
    });
  // A deployment may ignore a filter that it does not know.
  const found = list.items.find((record) => isSame(record, sha256, metadata));
  if (found === undefined) return undefined;
  const { documentId, documentNumber, jobId } = found;
  return { jobId: jobId ?? undefined, documentId, documentNumber };
}

function isSame(
  { sha256, context = {} }: DocumentRecord,
  digest: string,
  metadata: Readonly<Record<string, string>>,
): boolean {
  return (
    sha256 === digest &&
    contextNames.every((name) => metadata[name] === undefined || context[name] === metadata[name])
  );
}

async function digestOf(file: FoundFile, signal: AbortSignal): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file.path).stream()) {
    signal.throwIfAborted();
    hasher.update(chunk);
  }
  return hasher.digest("hex");
}

import type { Worker } from "node:worker_threads";
import { within } from "#lib/time/within.ts";
import { bearerToken } from "../../http/request-headers.ts";
import { shared } from "../../kit/changes.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Platform } from "../../platform.ts";
import { ForwardedRequests } from "./forwarded-requests.ts";
import type {
  ForwardedAnswer,
  ForwardedCreation,
  ThreadStart,
  ToMain,
  ToThread,
} from "./messages.ts";
import { Outbox } from "./outbox.ts";
import { inBackground } from "../../kit/background.ts";
import { noteRequest } from "../../kit/turns/tick-share.ts";

/** A machine under load took 10 s for what takes 0.2 s when it is idle. */
const startLimitMs = 45_000;
/** Time limit of a thread's close; it only reads, so it can be terminated. */
const closeLimitMs = 1_000;

export interface ReadingThreadOptions {
  readonly platform: Platform;
  readonly logger: Logger;
  readonly start: Omit<ThreadStart, "svcReadingThread" | "limits" | "changes" | "rates" | "master">;
  /** Called when a thread that listened has ended without a stop. */
  readonly onLost: (reason: string) => void;
}

/** The main thread's handle of one reading thread. */
export class ReadingThread {
  readonly #outbox: Outbox<ToThread>;
  readonly #requests: ForwardedRequests;
  readonly #listening = Promise.withResolvers<number>();
  readonly #stopped = Promise.withResolvers<void>();
  #hasStarted = false;
  #isEnding = false;

  private constructor(
    private readonly options: ReadingThreadOptions,
    private readonly worker: Worker,
  ) {
    this.#outbox = new Outbox(worker);
    this.#requests = new ForwardedRequests({
      logger: options.logger,
      answer: (request, peer) => options.platform.fetch(request, peer),
      knownOf: (request) => this.#knownOf(request),
      outbox: this.#outbox,
    });
    worker.on("message", (messages: readonly ToMain[]) => {
      for (const message of messages) this.#receive(message);
    });
    worker.on("error", (error) => this.#over(String(error)));
    worker.on("exit", () => this.#over("it ended"));
  }

  /** Resolves when the thread listens; rejects if it cannot. */
  static async start(options: ReadingThreadOptions): Promise<ReadingThread> {
    // Lazy, so that the thread's module stays a separate file in the compiled program.
    const { startReadingThread } = await import("./thread-entry.ts");
    const { platform, start } = options;
    const worker = startReadingThread({
      svcReadingThread: true,
      ...start,
      limits: platform.limits,
      changes: shared(platform.changes),
      rates: platform.rateWindows.memory,
      master: platform.secrets.master,
    });
    const thread = new ReadingThread(options, worker);
    try {
      const port = await within(startLimitMs, thread.#listening.promise, undefined);
      if (port !== undefined) return thread;
    } catch (error) {
      await thread.#end();
      throw error;
    }
    await thread.#end();
    throw new Error(`a thread did not listen within ${startLimitMs} ms`);
  }

  get port(): Promise<number> {
    return this.#listening.promise;
  }

  drain(): void {
    this.#outbox.post({ kind: "drain" });
  }

  /** Waits for running responses within the time, then closes. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isEnding = true;
    this.#outbox.post({ kind: "stop", timeoutMs });
    await within(timeoutMs + closeLimitMs, this.#stopped.promise, undefined);
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#isEnding = true;
    this.#requests.abandon();
    await this.worker.terminate();
  }

  #receive(message: ToMain): void {
    switch (message.kind) {
      case "listening":
        this.#hasStarted = true;
        return this.#listening.resolve(message.port);
      case "failed":
        return this.#over(message.reason);
      case "stopped":
        return this.#stopped.resolve();
      case "log":
        return this.options.logger[message.level](message.event);
      case "audit":
        return this.options.platform.services.audit.note(message.entry);
      case "durations":
        return this.options.platform.durations.add(message.counts);
      case "type":
        return this.#inBackground(() => this.#lookAtType(message));
      case "creation":
        return this.#inBackground(() => this.#create(message));
      default:
        return this.#requests.receive(message);
    }
  }

  #inBackground(work: () => Promise<void>): void {
    inBackground(this.options.logger, "thread-message-failed", work);
  }

  /** Loads a type, which continues the work that a crash has interrupted. */
  async #lookAtType({ workspaceId, slug }: { workspaceId: string; slug: string }): Promise<void> {
    try {
      await this.options.platform.services.objectTypes.find(workspaceId, slug);
    } catch {
      // The next use of the type reports the same failure.
    }
  }

  async #create({ id, write, requestId, ...under }: ForwardedCreation): Promise<void> {
    const { platformWork, services } = this.options.platform;
    noteRequest(under.workspaceId);
    const work = platformWork("a record that a thread has checked").within(under.workspaceId);
    let isWritten = true;
    try {
      await services.resources.insert(work, under, { ...write, requestId });
    } catch {
      // The request is then forwarded whole, and its response reports the error.
      isWritten = false;
    }
    this.#outbox.post({ kind: "created", id, isWritten });
  }

  #knownOf(request: Request): ForwardedAnswer["known"] {
    // The count is read before the token: a revocation in between then makes only the count stale.
    const revocations = this.options.platform.changes.grants.value;
    const token = bearerToken(request);
    const known =
      token === undefined ? undefined : this.options.platform.services.tokens.known(token);
    return known === undefined ? undefined : { token: known, revocations };
  }

  #over(reason: string): void {
    this.#listening.reject(new Error(`cannot start a reading thread: ${reason}`));
    this.#stopped.resolve();
    this.#requests.abandon();
    if (this.#isEnding || !this.#hasStarted) return;
    this.#isEnding = true;
    this.options.onLost(reason);
  }
}

import type { ChatEvent } from "#contract/documents/chat.ts";
import { Refusal } from "#contract/problems.ts";
import { keptPromise } from "../../kit/background.ts";

/** The conversation of an answer, in its workspace. */
interface RunKey {
  readonly workspaceId: string;
  readonly id: string;
}

export interface RunLimits {
  /** Longest time of one answer. */
  readonly answerMs: number;
  /** An answer without a reader is stopped after so long. */
  readonly unreadMs: number;
  /** A finished answer can be read again for so long. */
  readonly keptMs: number;
  /** Answers of the platform, and of one user, at the same time. */
  readonly running: number;
  readonly runningPerUser: number;
  readonly kept: number;
}

const defaultRunLimits: RunLimits = {
  answerMs: 5 * 60_000,
  unreadMs: 30_000,
  keptMs: 60_000,
  running: 200,
  runningPerUser: 8,
  kept: 500,
};

export interface SentEvent {
  readonly id: string;
  readonly data: ChatEvent;
}

/** Writes an answer; ends early, and stores its text so far, when the signal is aborted. */
export type AnswerWriter = (signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** An answer that is being written, apart from its readers, which may come and go. */
class AnswerRun {
  readonly #events: ChatEvent[] = [];
  readonly #controller = new AbortController();
  #changed = Promise.withResolvers<void>();
  #readers = 0;
  #unread: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #failure: unknown;
  readonly ended: Promise<void>;

  constructor(
    readonly messageId: string,
    readonly owner: string,
    private readonly limits: RunLimits,
    write: AnswerWriter,
  ) {
    this.#waitForReader();
    this.ended = keptPromise(this.#write(write));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  stop(reason: string): void {
    this.#controller.abort(new Error(reason));
  }

  /** The events after `lastEventId`, from the first one when that is of another answer. */
  async *read(
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SentEvent, void, void> {
    const [message, place] = lastEventId?.split(":") ?? [];
    let next = message === this.messageId ? Number(place) + 1 : 0;
    if (!Number.isSafeInteger(next) || next < 0) next = 0;
    const leave = (): void => this.#notify();
    this.#readers += 1;
    clearTimeout(this.#unread);
    signal.addEventListener("abort", leave, { once: true });
    try {
      while (!signal.aborted) {
        const changed = this.#changed.promise;
        for (; next < this.#events.length; next += 1) {
          const data = this.#events[next];
          if (data !== undefined) yield { id: `${this.messageId}:${next}`, data };
        }
        if (this.#isOver && next >= this.#events.length) {
          // A reader's stream then ends without [DONE].
          if (this.#failure !== undefined) throw this.#failure as Error;
          return;
        }
        await changed;
      }
    } finally {
      signal.removeEventListener("abort", leave);
      this.#readers -= 1;
      if (this.#readers === 0) this.#waitForReader();
    }
  }

  async #write(write: AnswerWriter): Promise<void> {
    const { signal } = this.#controller;
    const limit = setTimeout(() => this.stop("The answer took too long"), this.limits.answerMs);
    limit.unref();
    try {
      for await (const event of write(signal)) this.#push(event);
      if (signal.aborted) this.#push({ type: "abort", reason: (signal.reason as Error).message });
    } catch (error) {
      this.#failure = error;
    } finally {
      clearTimeout(limit);
      clearTimeout(this.#unread);
      this.#isOver = true;
      this.#notify();
    }
  }

  #push(event: ChatEvent): void {
    this.#events.push(event);
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #waitForReader(): void {
    if (this.#isOver) return;
    clearTimeout(this.#unread);
    this.#unread = setTimeout(() => this.stop("No reader is left"), this.limits.unreadMs);
    this.#unread.unref();
  }
}

/** The answers that are being written, one for each conversation, and those that just ended. */
export class AnswerRuns {
  readonly #runs = new Map<string, AnswerRun>();
  /** Conversations whose answer begins, or is written as one reply. */
  readonly #held = new Set<string>();
  readonly #limits: RunLimits;

  constructor(limits: Partial<RunLimits> = {}) {
    this.#limits = { ...defaultRunLimits, ...limits };
  }

  /**
   * Reserves the conversation for one answer. Refuses 409 while it has another one, and 429 and 503
   * for too many of them.
   */
  hold(key: RunKey, owner: string): Disposable {
    const name = nameOf(key);
    if (this.#held.has(name) || this.running(key) !== undefined) {
      throw new Refusal("conflict", {
        detail: "An answer of this conversation is being written: wait for its end, or stop it",
      });
    }
    const running = [...this.#runs.values()].filter(({ isOver }) => !isOver);
    if (running.length >= this.#limits.running) throw new Refusal("overloaded");
    const own = running.filter((run) => run.owner === owner).length;
    if (own >= this.#limits.runningPerUser) {
      throw new Refusal("rate-limited", {
        detail: `You have ${own} running answers: wait for one of them`,
      });
    }
    this.#held.add(name);
    return {
      [Symbol.dispose]: () => {
        this.#held.delete(name);
      },
    };
  }

  start(key: RunKey, owner: string, messageId: string, write: AnswerWriter): AnswerRun {
    const name = nameOf(key);
    const run = new AnswerRun(messageId, owner, this.#limits, write);
    this.#runs.set(name, run);
    this.#forgetOldest();
    const forgetLater = (): void => {
      const timer = setTimeout(() => {
        if (this.#runs.get(name) === run) this.#runs.delete(name);
      }, this.#limits.keptMs);
      timer.unref();
    };
    run.ended.then(forgetLater, forgetLater);
    return run;
  }

  /** The answer that is running or has just ended. */
  recent(key: RunKey): AnswerRun | undefined {
    return this.#runs.get(nameOf(key));
  }

  running(key: RunKey): AnswerRun | undefined {
    const run = this.recent(key);
    return run?.isOver === false ? run : undefined;
  }

  /** Stops the running answer and waits until it is stored; false without one. */
  async stop(key: RunKey): Promise<boolean> {
    const run = this.running(key);
    if (run === undefined) return false;
    run.stop("Stopped by its user");
    await run.ended;
    return true;
  }

  forget(key: RunKey): void {
    this.#runs.delete(nameOf(key));
  }

  /** Stops all answers when the platform shuts down; their texts so far are stored. */
  async stopAll(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stop("The platform is shutting down");
    await Promise.all(runs.map(({ ended }) => ended));
  }

  #forgetOldest(): void {
    if (this.#runs.size <= this.#limits.kept) return;
    for (const [name, { isOver }] of this.#runs) {
      if (this.#runs.size <= this.#limits.kept) return;
      if (isOver) this.#runs.delete(name);
    }
  }
}

function nameOf({ workspaceId, id }: RunKey): string {
  return `${workspaceId} ${id}`;
}

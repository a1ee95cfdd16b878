import type { ChatEvent } from "#contract/documents/chat.ts";
import { Refusal } from "#contract/problems.ts";
import { keptPromise } from "../../kit/background.ts";
import { answerRuns, tooManyAnswers } from "./platforms/refusals.ts";
import type { SentEvent, SharedAnswers } from "./platforms/shared-answers.ts";
import type { LocalAnswer } from "./platforms/written-answer.ts";
import type { Reader } from "../../database/database.ts";
import type { ConversationKey } from "./store.ts";

const stopped = "Stopped by its user";

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
  /** Those who wait for an answer of another platform look at least this often. */
  readonly lookMs: number;
}

export const defaultRunLimits: RunLimits = {
  answerMs: 5 * 60_000,
  unreadMs: 30_000,
  keptMs: 60_000,
  running: 200,
  runningPerUser: 8,
  kept: 500,
  lookMs: 2_000,
};

export type { SentEvent } from "./platforms/shared-answers.ts";

export interface ReadFrom {
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** A conversation that is reserved for one answer, until it is disposed. */
export interface HeldConversation extends AsyncDisposable {
  start(write: AnswerWriter): AnswerRun;
}

/** Writes an answer; ends early, and stores its text so far, when the signal is aborted. */
export type AnswerWriter = (signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** An answer that is being written, apart from its readers, which may come and go. */
class AnswerRun implements LocalAnswer {
  readonly events: ChatEvent[] = [];
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
    release: () => Promise<void>,
  ) {
    this.#waitForReader();
    this.ended = keptPromise(this.#write(write, release));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Postpones the end of an answer that only has a reader on another platform. */
  noteReader(): void {
    if (this.#readers === 0) this.#waitForReader();
  }

  stop(reason: string): void {
    this.#controller.abort(new Error(reason));
  }

  /** The events after `lastEventId`, from the first one when that is of another answer. */
  async *read(
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<SentEvent, void, void> {
    let next = placeAfter(lastEventId, this.messageId);
    const leave = (): void => this.#notify();
    this.#readers += 1;
    clearTimeout(this.#unread);
    signal.addEventListener("abort", leave, { once: true });
    try {
      while (!signal.aborted) {
        const changed = this.#changed.promise;
        for (; next < this.events.length; next += 1) {
          const data = this.events[next];
          if (data !== undefined) yield { id: `${this.messageId}:${next}`, data };
        }
        if (this.#isOver && next >= this.events.length) {
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

  /** The answer is over once it is released: its readers may ask the next question then. */
  async #write(write: AnswerWriter, release: () => Promise<void>): Promise<void> {
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
      await release();
      this.#isOver = true;
      this.#notify();
    }
  }

  #push(event: ChatEvent): void {
    this.events.push(event);
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

  /** A platform without `shared` answers alone: it has an SQLite database. */
  constructor(
    limits: RunLimits,
    private readonly shared: SharedAnswers | undefined,
  ) {
    this.#limits = limits;
  }

  /**
   * Reserves the conversation for one answer. Refuses 409 while it has another one, and 429 and 503
   * for too many of them. An answer that is started takes the reservation over.
   */
  async hold(key: ConversationKey, owner: string, messageId: string): Promise<HeldConversation> {
    const name = nameOf(key);
    if (this.#held.has(name) || this.running(key) !== undefined) throw answerRuns();
    const running = [...this.#runs.values()].filter(({ isOver }) => !isOver);
    if (running.length >= this.#limits.running) throw new Refusal("overloaded");
    const own = running.filter((run) => run.owner === owner).length;
    if (own >= this.#limits.runningPerUser) throw tooManyAnswers(own);
    this.#held.add(name);
    const release = async (): Promise<void> => {
      await this.shared?.release(key);
      this.#held.delete(name);
    };
    try {
      await this.shared?.hold(key, owner, messageId);
    } catch (error) {
      this.#held.delete(name);
      throw error;
    }
    let isStarted = false;
    return {
      start: (write) => {
        isStarted = true;
        return this.#start(key, new AnswerRun(messageId, owner, this.#limits, write, release));
      },
      [Symbol.asyncDispose]: async () => {
        if (!isStarted) await release();
      },
    };
  }

  #start(key: ConversationKey, run: AnswerRun): AnswerRun {
    const name = nameOf(key);
    this.shared?.share(key, run);
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

  /** The events after `lastEventId` of the answer that is, or just was, under way anywhere. */
  async resume(
    key: ConversationKey,
    { lastEventId, signal }: ReadFrom,
  ): Promise<AsyncIterable<SentEvent>> {
    const local = this.recent(key);
    const latest = await this.shared?.latest(key);
    if (
      this.shared === undefined ||
      latest === undefined ||
      latest.messageId === local?.messageId
    ) {
      return local?.read(lastEventId, signal) ?? noEvents();
    }
    const { messageId } = latest;
    const next = placeAfter(lastEventId, messageId);
    return this.shared.follow(key, messageId, { next, signal });
  }

  /** The answer that is running or has just ended. */
  recent(key: ConversationKey): AnswerRun | undefined {
    return this.#runs.get(nameOf(key));
  }

  running(key: ConversationKey): AnswerRun | undefined {
    const run = this.recent(key);
    return run?.isOver === false ? run : undefined;
  }

  /** Stops the running answer on its platform, and waits until it is stored; false without one. */
  async stop(key: ConversationKey): Promise<boolean> {
    const run = this.running(key);
    if (run === undefined) return (await this.shared?.stop(key, stopped)) ?? false;
    run.stop(stopped);
    await run.ended;
    return true;
  }

  /** True while this platform writes the answer: another one may have stored its text. */
  async holds(reader: Reader, key: ConversationKey, messageId: string): Promise<boolean> {
    return this.shared === undefined || this.shared.holds(reader, key, messageId);
  }

  forget(key: ConversationKey): void {
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

function nameOf({ workspaceId, id }: ConversationKey): string {
  return `${workspaceId} ${id}`;
}

/** The place after the event `lastEventId`; the first one if that is of another answer. */
function placeAfter(lastEventId: string | undefined, messageId: string): number {
  const [message, place] = lastEventId?.split(":") ?? [];
  const next = message === messageId ? Number(place) + 1 : 0;
  return Number.isSafeInteger(next) && next >= 0 ? next : 0;
}

async function* noEvents(): AsyncGenerator<SentEvent, void, void> {}

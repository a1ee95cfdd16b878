import type { ChatEvent } from "#contract/documents/chat.ts";
import { Refusal } from "#contract/problems.ts";
import { keptPromise } from "../../../kit/background.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { PlatformBase } from "../../base.ts";
import type { Work } from "../../../work/work.ts";
import type { Reader } from "../../../database/database.ts";
import { messageOfEvents } from "../said-answer.ts";
import { appendMessages, type ConversationKey } from "../store.ts";
import {
  askToStop,
  countRunning,
  deleteEnded,
  endAnswer,
  endLostAnswer,
  eventsFrom,
  extendLeases,
  lostAnswers,
  noteFollower,
  sharedAnswer,
  storeEvents,
  takeConversation,
  wantedOf,
  type SharedAnswer,
  type StoredEvents,
} from "./store.ts";

/** After this time another platform may answer in a conversation whose platform is gone. */
const leaseMs = 15_000;
const extensionMs = 5_000;
/** How often events are stored, and requests of other platforms are read. */
const tickMs = 150;
const cleaningIntervalMs = 60_000;
const cleaningLimit = 500;

export interface SentEvent {
  readonly id: string;
  readonly data: ChatEvent;
}

/** An answer of this platform that others may read and stop. */
export interface LocalAnswer {
  readonly messageId: string;
  readonly events: readonly ChatEvent[];
  readonly isFailed: boolean;
  stop(reason: string): void;
  /** Reports a reader on another platform. */
  noteReader(): void;
}

export interface SharedLimits {
  readonly answerMs: number;
  readonly unreadMs: number;
  readonly keptMs: number;
  readonly runningPerUser: number;
}

/** An answer that this platform writes, with the number of its events that are stored. */
interface Written {
  readonly key: ConversationKey;
  readonly messageId: string;
  answer: LocalAnswer | undefined;
  stored: number;
}

/**
 * Answers that all platforms of a PostgreSQL database know: a conversation has one at a time, and
 * every platform can read and stop it. The platform that writes an answer has its lease, and stores
 * its events as it goes.
 */
export class SharedAnswers {
  /** This start of the platform. */
  readonly #process = Bun.randomUUIDv7();
  readonly #written = new Map<string, Written>();
  readonly #work: Work;
  readonly #now: () => Date;
  #storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly base: Pick<PlatformBase, "platformWork" | "now" | "lifetime" | "logger">,
    private readonly limits: SharedLimits,
  ) {
    const { lifetime } = base;
    this.#work = base.platformWork("answers of all platforms");
    this.#now = base.now;
    lifetime.every(tickMs, "answers-not-shared", () => this.#tick());
    lifetime.every(extensionMs, "answer-leases-not-extended", () => this.#extend());
    lifetime.every(cleaningIntervalMs, "answers-not-cleaned", () => this.#clean());
  }

  /**
   * Takes the conversation for one answer of this platform. Refuses 409 while another one runs, and
   * 429 if the user has too many.
   */
  async hold(key: ConversationKey, owner: string, messageId: string): Promise<void> {
    const found = await this.latest(key);
    if (isLost(found)) await this.#recover(key, found.messageId);
    const now = this.#now();
    const own = await countRunning(this.#work.read, owner, now);
    if (own >= this.limits.runningPerUser) throw tooManyAnswers(own);
    const lease = { key, messageId, owner, process: this.#process, leaseMs, now };
    if (!(await this.#work.write((tx) => takeConversation(tx, lease)))) throw answerRuns();
    this.#written.set(nameOf(key), { key, messageId, answer: undefined, stored: 0 });
  }

  /** Shares the events of an answer in a conversation that this platform holds. */
  share(key: ConversationKey, answer: LocalAnswer): void {
    const written = this.#written.get(nameOf(key));
    if (written !== undefined) written.answer = answer;
  }

  /** Stores the last events, and ends the lease. A failure is logged: the lease then expires. */
  async release(key: ConversationKey): Promise<void> {
    const written = this.#written.get(nameOf(key));
    if (written === undefined) return;
    this.#written.delete(nameOf(key));
    const { messageId, answer } = written;
    const state = answer?.isFailed === true ? "failed" : "over";
    try {
      // Events that this could not store are stored with the last ones.
      await this.#storing.catch(() => {});
      await this.#work.write(async (tx) => {
        const now = this.#now();
        await storeEvents(tx, unstored([written]), { keptMs: this.#eventsKeptMs, now });
        const { keptMs } = this.limits;
        await endAnswer(tx, { key, messageId, process: this.#process, keptMs, now, state });
      });
    } catch (error) {
      this.base.logger.error({ event: "answer-not-ended", error: String(error) });
    }
  }

  /** The answer that is running or has just ended on any platform. */
  async latest(key: ConversationKey): Promise<SharedAnswer | undefined> {
    return sharedAnswer(this.#work.read, key, this.#now());
  }

  /** Follows an answer of another platform from its event `next`, until it ends. */
  async *follow(
    key: ConversationKey,
    messageId: string,
    { next, signal }: { readonly next: number; readonly signal: AbortSignal },
  ): AsyncGenerator<SentEvent, void, void> {
    const { workspaceId } = key;
    let place = 0;
    let followedUntilMs = 0;
    while (!signal.aborted) {
      followedUntilMs = await this.#noteFollower(key, followedUntilMs);
      // The state comes first: all events of an answer that is over are stored.
      const found = await this.latest(key);
      const state = found?.messageId === messageId ? found.state : "over";
      for (const stored of await eventsFrom(this.#work.read, { workspaceId, messageId, place })) {
        place = stored.place;
        for (const [index, data] of stored.events.entries()) {
          if (place + index < next) continue;
          next = place + index + 1;
          yield { id: `${messageId}:${place + index}`, data };
        }
      }
      if (state === "failed") throw new Error("The answer has failed on another platform");
      if (state === "over") return;
      if (isLost(found)) await this.#recover(key, messageId);
      else await pause(signal);
    }
  }

  /** Stops the answer on the platform that writes it, and waits until it is stored. */
  async stop(key: ConversationKey, reason: string): Promise<boolean> {
    const request = { reason, now: this.#now() };
    if (!(await this.#work.write((tx) => askToStop(tx, key, request)))) return false;
    for (;;) {
      const found = await this.latest(key);
      if (found?.state !== "running" || found.leftMs <= 0) return true;
      await sleep(tickMs);
    }
  }

  /** Whether this platform still writes the answer, and no other one has stored its text. */
  async holds(reader: Reader, key: ConversationKey, messageId: string): Promise<boolean> {
    const found = await sharedAnswer(reader, key, this.#now());
    return (
      found?.messageId === messageId && found.process === this.#process && found.state === "running"
    );
  }

  /** Stores the text so far of an answer whose platform is gone, and ends it for its readers. */
  async #recover(key: ConversationKey, messageId: string): Promise<void> {
    const { workspaceId } = key;
    await this.#work.write(async (tx) => {
      const now = this.#now();
      const { keptMs } = this.limits;
      if (!(await endLostAnswer(tx, key, { messageId, keptMs, now })) || messageId === "") return;
      const stored = await eventsFrom(tx, { workspaceId, messageId, place: 0 });
      const said = stored.flatMap(({ events }) => events);
      const events = [
        { type: "abort", reason: "The platform that wrote this answer is gone" },
      ] as const;
      const abort = { workspaceId, messageId, place: said.length, events };
      await storeEvents(tx, [abort], { keptMs: this.#eventsKeptMs, now });
      await appendMessages(tx, key, [messageOfEvents(messageId, said)], now);
    });
  }

  get #eventsKeptMs(): number {
    return this.limits.answerMs + this.limits.keptMs;
  }

  async #noteFollower(key: ConversationKey, untilMs: number): Promise<number> {
    const nowMs = performance.now();
    const { unreadMs } = this.limits;
    if (nowMs < untilMs - unreadMs / 2) return untilMs;
    const follower = { followedMs: unreadMs, now: this.#now() };
    await this.#work.write((tx) => noteFollower(tx, key, follower));
    return nowMs + unreadMs;
  }

  async #tick(): Promise<void> {
    if (this.#written.size === 0) return;
    this.#storing = keptPromise(this.#store());
    await this.#storing;
    // An answer that begins after the read is not in it.
    const all = [...this.#written.values()];
    const wanted = await wantedOf(this.#work.read, this.#process, this.#now());
    const byMessage = new Map(wanted.map((each) => [each.messageId, each]));
    for (const written of all) {
      const { key, answer } = written;
      if (answer === undefined || this.#written.get(nameOf(key)) !== written) continue;
      const found = byMessage.get(answer.messageId);
      if (found === undefined) answer.stop("Another platform has taken the conversation");
      else if (found.stopReason !== null) answer.stop(found.stopReason);
      else if (found.isFollowed) answer.noteReader();
    }
  }

  async #store(): Promise<void> {
    const all = [...this.#written.values()];
    const events = unstored(all);
    if (events.length === 0) return;
    const kept = { keptMs: this.#eventsKeptMs, now: this.#now() };
    await this.#work.write((tx) => storeEvents(tx, events, kept));
    for (const { messageId, place, events: stored } of events) {
      const written = all.find((each) => each.messageId === messageId);
      if (written !== undefined) written.stored = place + stored.length;
    }
  }

  async #extend(): Promise<void> {
    if (this.#written.size === 0) return;
    const extended = { leaseMs, now: this.#now() };
    await this.#work.write((tx) => extendLeases(tx, this.#process, extended));
  }

  async #clean(): Promise<void> {
    const lost = { now: this.#now(), limit: cleaningLimit };
    for (const { messageId, ...key } of await lostAnswers(this.#work.read, lost)) {
      await this.#recover(key, messageId);
    }
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.#work.write((tx) =>
        deleteEnded(tx, { now: this.#now(), limit: cleaningLimit }),
      );
    }
  }
}

/** The events of each answer that are not stored yet. */
function unstored(all: readonly Written[]): StoredEvents[] {
  return all.flatMap(({ key: { workspaceId }, messageId, answer, stored }) => {
    const events = answer?.events.slice(stored) ?? [];
    return events.length === 0 ? [] : [{ workspaceId, messageId, place: stored, events }];
  });
}

export function answerRuns(): Refusal {
  return new Refusal("conflict", {
    detail: "An answer of this conversation is being written: wait for its end, or stop it",
  });
}

export function tooManyAnswers(count: number): Refusal {
  return new Refusal("rate-limited", {
    detail: `You have ${count} running answers: wait for one of them`,
  });
}

/** Whether the platform of a running answer is gone. */
function isLost(answer: SharedAnswer | undefined): answer is SharedAnswer {
  return answer?.state === "running" && answer.leftMs <= 0;
}

async function pause(signal: AbortSignal): Promise<void> {
  // The loop ends after an abort, too.
  await sleep(tickMs, signal).catch(() => {});
}

function nameOf({ workspaceId, id }: ConversationKey): string {
  return `${workspaceId} ${id}`;
}

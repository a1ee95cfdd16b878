import type { ChatEvent } from "#contract/documents/chat.ts";
import { inBackground, keptPromise } from "../../../kit/background.ts";
import type { PlatformBase } from "../../base.ts";
import type { Work } from "../../../work/work.ts";
import type { Reader } from "../../../database/database.ts";
import { messageOfEvents } from "../said-answer.ts";
import { appendMessages, type ConversationKey } from "../store.ts";
import { answerChanged, reports, WrittenChanges } from "./answer-changes.ts";
import { answerRuns, tooManyAnswers } from "./refusals.ts";
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
} from "./store.ts";
import { unstored, type LocalAnswer, type Written } from "./written-answer.ts";

/** After this time another platform may answer in a conversation whose platform is gone. */
const leaseMs = 15_000;
const extensionMs = 5_000;
/** How often new events are stored. */
const storeMs = 150;
const cleaningIntervalMs = 60_000;
const cleaningLimit = 500;

export interface SentEvent {
  readonly id: string;
  readonly data: ChatEvent;
}

export interface SharedLimits {
  readonly answerMs: number;
  readonly unreadMs: number;
  readonly keptMs: number;
  readonly runningPerUser: number;
  /** The longest pause between two looks of those who wait for a change of the feed. */
  readonly lookMs: number;
}

/**
 * Answers that all platforms of a PostgreSQL database know: a conversation has one at a time, and
 * every platform can read and stop it. The platform that writes an answer has its lease, and stores
 * its events as it goes. The feed tells its readers elsewhere of them, and tells the platform of
 * its readers and of a stop; a look now and then is for events of the feed that are lost.
 */
export class SharedAnswers {
  /** This start of the platform. */
  readonly #process = Bun.randomUUIDv7();
  readonly #written = new Map<string, Written>();
  readonly #work: Work;
  readonly #now: () => Date;
  #storing: Promise<void> = Promise.resolve();
  #unfollow: (() => void) | undefined;

  constructor(
    private readonly base: Pick<
      PlatformBase,
      "platformWork" | "feed" | "now" | "lifetime" | "logger"
    >,
    private readonly limits: SharedLimits,
  ) {
    const { lifetime } = base;
    this.#work = base.platformWork("answers of all platforms");
    this.#now = base.now;
    lifetime.every(storeMs, "answers-not-shared", () => this.#share());
    lifetime.every(limits.lookMs, "answer-requests-not-read", () => this.#heed());
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
    const written = { key, messageId, answer: undefined, stored: 0, isFollowed: false };
    this.#written.set(nameOf(key), written);
    this.#unfollow ??= this.base.feed.follow({
      changed: (event) => {
        if (reports(event, "wanted")) this.#heedSoon();
      },
      missed: () => this.#heedSoon(),
    });
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
    if (this.#written.size === 0) {
      this.#unfollow?.();
      this.#unfollow = undefined;
    }
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
        answerChanged(tx, key, "written");
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
    using changes = new WrittenChanges(this.base.feed, key, this.limits.lookMs, signal);
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
      else await changes.next();
    }
  }

  /** Stops the answer on the platform that writes it, and waits until it is stored. */
  async stop(key: ConversationKey, reason: string): Promise<boolean> {
    const request = { reason, now: this.#now() };
    using changes = new WrittenChanges(this.base.feed, key, this.limits.lookMs);
    const isAsked = await this.#work.write(async (tx) => {
      const isRunning = await askToStop(tx, key, request);
      if (isRunning) answerChanged(tx, key, "wanted");
      return isRunning;
    });
    if (!isAsked) return false;
    for (;;) {
      const found = await this.latest(key);
      if (found?.state !== "running" || found.leftMs <= 0) return true;
      await changes.next();
    }
  }

  /** True while this platform writes the answer, and no other one has stored its text. */
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
      // The platform may be slow instead of gone.
      for (const change of ["wanted", "written"] as const) answerChanged(tx, key, change);
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
    await this.#work.write(async (tx) => {
      await noteFollower(tx, key, follower);
      answerChanged(tx, key, "wanted");
    });
    return nowMs + unreadMs;
  }

  async #share(): Promise<void> {
    if (this.#written.size === 0) return;
    this.#storing = keptPromise(this.#store());
    await this.#storing;
  }

  #heedSoon(): void {
    inBackground(this.base.logger, "answer-requests-not-read", () => this.#heed());
  }

  /** Reads what other platforms want of the answers, and does it. */
  async #heed(): Promise<void> {
    if (this.#written.size === 0) return;
    // An answer that begins after the read is not in it.
    const all = [...this.#written.values()];
    const wanted = await wantedOf(this.#work.read, this.#process, this.#now());
    const byMessage = new Map(wanted.map((each) => [each.messageId, each]));
    const begun: Written[] = [];
    for (const written of all) {
      const { key, answer } = written;
      if (answer === undefined || this.#written.get(nameOf(key)) !== written) continue;
      const found = byMessage.get(answer.messageId);
      if (found?.isFollowed === true && !written.isFollowed) begun.push(written);
      written.isFollowed = found?.isFollowed ?? false;
      if (found === undefined) answer.stop("Another platform has taken the conversation");
      else if (found.stopReason !== null) answer.stop(found.stopReason);
      else if (found.isFollowed) answer.noteReader();
    }
    if (begun.length === 0) return;
    // What was stored since the readers have looked was not told.
    await this.#work.write(async (tx) => {
      for (const { key } of begun) answerChanged(tx, key, "written");
    });
  }

  async #store(): Promise<void> {
    const all = [...this.#written.values()];
    const events = unstored(all);
    if (events.length === 0) return;
    const kept = { keptMs: this.#eventsKeptMs, now: this.#now() };
    const stored = new Map(
      events.map(({ messageId, place, events: { length } }) => [messageId, place + length]),
    );
    await this.#work.write(async (tx) => {
      await storeEvents(tx, events, kept);
      for (const { key, messageId, isFollowed } of all) {
        if (isFollowed && stored.has(messageId)) answerChanged(tx, key, "written");
      }
    });
    for (const written of all) written.stored = stored.get(written.messageId) ?? written.stored;
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

/** Returns true if the platform of a running answer is gone. */
function isLost(answer: SharedAnswer | undefined): answer is SharedAnswer {
  return answer?.state === "running" && answer.leftMs <= 0;
}

function nameOf({ workspaceId, id }: ConversationKey): string {
  return `${workspaceId} ${id}`;
}

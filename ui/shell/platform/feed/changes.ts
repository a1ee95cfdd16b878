import type { Client } from "#client/index.ts";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { sleep } from "#lib/time/sleep.ts";
import { isAbort } from "../../../kit/answers/failure.ts";
import { Store } from "../../../kit/state/store.ts";

/** A change of the open workspace. */
export type ChangeEvent =
  ReturnType<Client["watch"]> extends AsyncGenerator<infer Item> ? Item : never;

interface Watching {
  readonly forTenant: (tenantId: string) => Pick<Client, "watch">;
}

/** Answers that change with some nouns of the feed, such as `resource` or `document.job`. */
export interface Interest {
  readonly nouns: readonly string[];
  /** The Object Type of the records; changes of other types are ignored. */
  readonly objectType?: string | undefined;
}

interface Follower extends Interest {
  readonly refresh: () => void;
  /** The time of the last change that a refresh must show. */
  changedAtMs: number;
}

/** Registers the refresh of an answer, and reports until when the answer is current. */
export interface Followed {
  /** The time until which an answer of that time was current; undefined if nothing confirms it. */
  readonly currentUntilMs: (answeredAtMs: number) => number | undefined;
  readonly end: () => void;
}

/**
 * `off` without a workspace; `opening` until the platform has confirmed the stream; `following`
 * while it was confirmed in the last 20 s; `polling` where the platform has no stream.
 */
export type FeedState = "off" | "opening" | "following" | "polling";

/** The noun of answers that depend on what the reader may do. */
export const rightsNoun = "rights";
/** The platform confirms a stream every 15 s; an older confirmation is none. */
export const confirmedMs = 20_000;
/** Changes of this time are one refresh. */
const gatherMs = 100;
/** A request that was under way during a change may answer this long after it without it. */
const underWayMs = 1_000;
/** The mean time between two refreshes at least, while the user looks and otherwise. */
const lookingPauseMs = 1_000;
const awayPauseMs = 5_000;
/** Refreshes that may follow each other at once, so that single changes are shown at once. */
const mostCredits = 4;
/** Pause after a refusal that need not last, such as that of a changed role. */
const againMs = 60_000;

/** The stream of changes of the open workspace, which refreshes the answers that it is about. */
export class Changes {
  readonly state = new Store<FeedState>("off");
  readonly #followers = new Set<Follower>();
  readonly #isLooking: () => boolean;
  readonly #now: () => number;
  readonly #pending = new Set<Follower>();
  readonly #watchers = new Set<(event: ChangeEvent) => void>();
  /** The time of the last change of each noun, also of those that no screen shows. */
  readonly #changedAtMs = new Map<string, number>();
  #aborter: AbortController | undefined;
  #of: { readonly client: Watching; readonly tenantId: string } | undefined;
  #confirmedAtMs = 0;
  #credits = mostCredits;
  #creditedAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(isLooking: () => boolean, now: () => number = Date.now) {
    this.#isLooking = isLooking;
    this.#now = now;
  }

  /** Follows the changes of this workspace; those of another one are no longer followed. */
  follow(client: Watching | undefined, tenantId: string | undefined): void {
    if (this.#of?.client === client && this.#of?.tenantId === tenantId) return;
    this.end();
    if (client === undefined || tenantId === undefined) return;
    this.#of = { client, tenantId };
    this.#start();
  }

  readonly end = (): void => {
    this.#aborter?.abort();
    this.#of = undefined;
    this.#confirmedAtMs = 0;
    this.#changedAtMs.clear();
    for (const timer of [this.#timer, this.#again, this.#silence]) clearTimeout(timer);
    this.#timer = undefined;
    this.#silence = undefined;
    this.#pending.clear();
    this.state.set("off");
  };

  /** An answer that is older than the last change, which came while no screen showed it, is due. */
  add(interest: Interest, refresh: () => void, answeredAtMs?: number): Followed {
    const follower: Follower = { ...interest, refresh, changedAtMs: this.#now() };
    this.#followers.add(follower);
    const changes = interest.nouns.map((noun) => this.#changedAtMs.get(noun) ?? -Infinity);
    if (answeredAtMs !== undefined && answeredAtMs < Math.max(...changes) + underWayMs) {
      this.#changed([follower]);
    }
    return {
      currentUntilMs: (answeredAtMs) => {
        if (this.#confirmedAtMs === 0 || this.state.get() === "polling") return undefined;
        // A change that is not shown yet ends the time in which the answer was current.
        return answeredAtMs >= follower.changedAtMs ? this.#confirmedAtMs : follower.changedAtMs;
      },
      end: () => {
        this.#followers.delete(follower);
        this.#pending.delete(follower);
      },
    };
  }

  /** Passes on each change, and each reset of the feed; the returned function ends that. */
  readonly watch = (watcher: (event: ChangeEvent) => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  #start(): void {
    const aborter = new AbortController();
    this.#aborter = aborter;
    this.state.set("opening");
    void this.#read(aborter.signal).catch((error: unknown) => {
      if (isAbort(error) || aborter.signal.aborted) return;
      // Only a platform without the route has no status to try again for.
      if (error instanceof CatalogError && error.status === 410) return this.#start();
      this.state.set("polling");
      if (error instanceof CatalogError && error.status === undefined) return;
      this.#again = setTimeout(() => this.#start(), againMs);
      this.#again.unref();
    });
  }

  /** Reads until the stream is refused. A lost place in the feed reads everything again. */
  async #read(signal: AbortSignal): Promise<void> {
    while (this.#of !== undefined) {
      const { client, tenantId } = this.#of;
      const onBreak = (error: unknown) => {
        if (error !== undefined) this.state.set("opening");
        // The platform ends a stream whose reader has other rights than at its beginning.
        else this.#changed([...this.#followers].filter(({ nouns }) => nouns.includes(rightsNoun)));
      };
      const events = client
        .forTenant(tenantId)
        .watch({ bookmarks: true, signal, onBreak, onPoll: refusePolls });
      for await (const event of events) this.#take(event);
      await sleep(lookingPauseMs, signal);
    }
  }

  #take(event: ChangeEvent): void {
    this.#confirmedAtMs = this.#now();
    if (this.state.get() !== "following") {
      this.state.set("following");
      this.#changed([...this.#followers]);
    }
    this.#silence ??= this.#watchSilence(confirmedMs);
    if (event.type === "svc.feed.bookmark") return;
    for (const watcher of this.#watchers) watcher(event);
    if (event.type === "svc.feed.reset") return this.#changed([...this.#followers]);
    const noun = nounOf(event);
    const objectType = objectTypeOf(event);
    this.#changedAtMs.set(noun, this.#now());
    this.#changed(
      [...this.#followers].filter(
        (follower) =>
          follower.nouns.includes(noun) &&
          (follower.objectType === undefined ||
            objectType === undefined ||
            follower.objectType === objectType),
      ),
    );
  }

  /** One timer for all events: at its end it waits for the rest of the time since the last one. */
  #watchSilence(waitMs: number): ReturnType<typeof setTimeout> {
    const look = () => {
      const leftMs = this.#confirmedAtMs + confirmedMs - this.#now();
      this.#silence = leftMs > 0 ? this.#watchSilence(leftMs) : undefined;
      if (leftMs <= 0) this.state.set("opening");
    };
    return setTimeout(look, waitMs).unref();
  }

  #changed(followers: readonly Follower[]): void {
    for (const follower of followers) {
      follower.changedAtMs = this.#now();
      this.#pending.add(follower);
    }
    if (this.#pending.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#refresh(), this.#waitMs());
    this.#timer.unref();
  }

  /** The time until the next refresh: each pause earns a credit, of which a refresh takes one. */
  #waitMs(): number {
    const pauseMs = this.#isLooking() ? lookingPauseMs : awayPauseMs;
    const nowMs = this.#now();
    const earned = (nowMs - this.#creditedAtMs) / pauseMs;
    this.#credits = Math.min(mostCredits, this.#credits + earned);
    this.#creditedAtMs = nowMs;
    return Math.max(gatherMs, (1 - this.#credits) * pauseMs);
  }

  #refresh(): void {
    this.#timer = undefined;
    this.#credits -= 1;
    const due = [...this.#pending];
    this.#pending.clear();
    for (const { refresh } of due) refresh();
  }
}

/** The noun of a change, such as `document.job`; "" for other types. */
export function nounOf({ type }: Pick<ChangeEvent, "type">): string {
  const prefix = "svc.";
  return type.startsWith(prefix) ? type.slice(prefix.length, type.lastIndexOf(".")) : "";
}

/** The screens poll what they show: a comparison of all lists would be more, and no stream. */
function refusePolls(): never {
  throw catalogError("E203", { details: "this platform has no stream of changes" });
}

function objectTypeOf({ data }: ChangeEvent): string | undefined {
  const isObject = typeof data === "object" && data !== null && "objectType" in data;
  return isObject && typeof data.objectType === "string" ? data.objectType : undefined;
}

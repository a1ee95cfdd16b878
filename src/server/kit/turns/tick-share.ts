import { FairQueue } from "./fair-queue.ts";
import { RecentShares } from "./recent-shares.ts";

const shareMs = 1;
/** The time that a share rests after a part, as a multiple of it. */
const restPerPart = 2;
/** The longest rest of a share: a longer tick was not the work of one part. */
const longestRestMs = 10;

/**
 * The shares of this thread that wait for a tick: one goes on in each, those of shares in turn.
 * While other shares have requests, a share rests after its part for twice the time of the tick: a
 * write takes six ticks, and a flood's garbage is collected in long ones.
 */
class Ticks {
  readonly recent = new RecentShares();
  readonly #waiting = new FairQueue<() => void>();
  readonly #restUntilMs = new Map<string, number>();
  #isScheduled = false;

  next(share: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve, share);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const nowMs = performance.now();
    const next = this.#waiting.take((share) => (this.#restUntilMs.get(share) ?? 0) <= nowMs);
    if (next === undefined) {
      const firstMs = Math.min(...this.#restUntilMs.values());
      setTimeout(() => this.#run(), Math.max(1, firstMs - nowMs));
      return;
    }
    this.#restUntilMs.delete(next.share);
    next.item();
    this.#waiting.charge(next);
    setImmediate(() => {
      this.#rest(next.share, nowMs);
      this.#isScheduled = false;
      this.#schedule();
    });
  }

  /** Lets a share rest after its part in the tick that began then. */
  #rest(share: string, beganMs: number): void {
    const nowMs = performance.now();
    for (const [name, untilMs] of this.#restUntilMs) {
      if (untilMs <= nowMs) this.#restUntilMs.delete(name);
    }
    if (!this.recent.hasOther(share, nowMs)) return;
    this.#restUntilMs.set(share, nowMs + Math.min((nowMs - beganMs) * restPerPart, longestRestMs));
  }
}

/** A thread has one event loop, so that all of its long work waits in one line. */
const ticks = new Ticks();

/** Notes that a share has a request now, next to which the long work of others takes rests. */
export function noteRequest(share: string): void {
  ticks.recent.note(share, performance.now());
}

/** True if a share other than this one has had a request lately. */
export function hasOtherRequests(share: string): boolean {
  return ticks.recent.hasOther(share, performance.now());
}

/**
 * Splits long work, so that the process answers other requests between its parts. A tick has one
 * part, however many requests are long: shares, such as workspaces, go on in turn.
 */
export class TickShare {
  #beganAt = performance.now();

  constructor(private readonly share = "") {}

  /** Waits for this work's turn in a tick. */
  async begin(): Promise<void> {
    await ticks.next(this.share);
    this.#beganAt = performance.now();
  }

  /** Waits for the next turn when this one has lasted longer than its part of a tick. */
  yieldWhenUsed(): Promise<void> | undefined {
    return performance.now() - this.#beganAt > shareMs ? this.begin() : undefined;
  }
}

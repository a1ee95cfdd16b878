import { OverloadedError, ScanStoppedError } from "./errors.ts";

export interface TurnsOptions {
  /** Scans at the same time, of all shares. */
  readonly count: number;
  /** Of one share, so that there is always room for another. */
  readonly countPerShare: number;
  /** Scans that may wait, of all shares; of one share, half as many. */
  readonly queueLimit: number;
  readonly waitLimitMs: number;
}

interface Waiting {
  readonly start: () => void;
}

/**
 * Who may run a scan now. Shares take turns, each in its own order: somebody with a hundred scans
 * waits for nearly all of them, and somebody with one waits for one of each other share at most.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** In the order in which the shares had their last turn. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  #waitingInAll = 0;
  #isPaused = false;
  #onIdle: (() => void) | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * Waits for a turn; what it answers ends the turn, and must be called. Rejects with
   * `OverloadedError` when too many wait or it took too long, and when the signal is aborted.
   */
  take(share: string, signal: AbortSignal | undefined): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(goneCaller());
    if (this.#isFree(share)) return Promise.resolve(this.#begin(share));
    const { queueLimit, waitLimitMs } = this.#options;
    const mates = this.#waiting.get(share) ?? new Set<Waiting>();
    if (this.#waitingInAll >= queueLimit || mates.size >= Math.ceil(queueLimit / 2)) {
      return Promise.reject(new OverloadedError("Cannot take another scan: too many are waiting"));
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        mates.delete(waiting);
        this.#waitingInAll -= 1;
        if (mates.size === 0) this.#waiting.delete(share);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve(this.#begin(share));
        },
      };
      const onAbort = (): void => {
        leave();
        reject(goneCaller());
      };
      const timer = setTimeout(() => {
        leave();
        reject(new OverloadedError(`Cannot begin this scan within ${waitLimitMs} ms`));
      }, waitLimitMs);
      signal?.addEventListener("abort", onAbort);
      mates.add(waiting);
      this.#waitingInAll += 1;
      this.#waiting.set(share, mates);
    });
  }

  /**
   * Nobody begins any more, and when nobody runs, this resolves with what lets them begin again, which
   * must be called. With undefined, and all as before, when somebody still runs after `limitMs`, or
   * when they are paused already.
   */
  async pause(limitMs: number): Promise<(() => void) | undefined> {
    if (this.#isPaused) return undefined;
    this.#isPaused = true;
    let hasEnded = false;
    const resume = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#isPaused = false;
      while (this.#next());
    };
    if (this.#runningInAll === 0) return resume;
    const isIdle = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    this.#onIdle = undefined;
    if (isIdle) return resume;
    resume();
    return undefined;
  }

  #isFree(share: string): boolean {
    if (this.#isPaused) return false;
    const { count, countPerShare } = this.#options;
    return this.#runningInAll < count && (this.#running.get(share) ?? 0) < countPerShare;
  }

  #begin(share: string): () => void {
    this.#runningInAll += 1;
    this.#running.set(share, (this.#running.get(share) ?? 0) + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#runningInAll -= 1;
      const left = (this.#running.get(share) ?? 0) - 1;
      if (left > 0) this.#running.set(share, left);
      else this.#running.delete(share);
      if (this.#runningInAll === 0) this.#onIdle?.();
      this.#next();
    };
  }

  /** Whether somebody began who had waited. */
  #next(): boolean {
    for (const [share, mates] of this.#waiting) {
      if (!this.#isFree(share)) continue;
      const [first] = mates;
      first?.start();
      // Whoever is left of this share comes after all others.
      const left = this.#waiting.get(share);
      if (left !== undefined) {
        this.#waiting.delete(share);
        this.#waiting.set(share, left);
      }
      return true;
    }
    return false;
  }
}

/** Scans at the same time; each keeps a processor busy. */
export const scanCount = 3;

/** The turns of one database's scans. */
export function scanTurns(queueLimit: number): Turns {
  return new Turns({
    count: scanCount,
    countPerShare: scanCount - 1,
    queueLimit: Math.min(1_000, queueLimit),
    // With the scan's own limit less than the silence after which a server cuts a connection.
    waitLimitMs: 4_000,
  });
}

/** The scan's caller has gone: there is nobody to answer. */
export function goneCaller(): ScanStoppedError {
  return new ScanStoppedError("The scan was stopped: its caller has gone", "aborted");
}

import { callerGone, OverloadedError } from "../storage-errors.ts";
import { FairQueue } from "./fair-queue.ts";

export interface PermitsOptions {
  /** Permits that all callers may hold together. */
  readonly count: number;
  /** Permits that one share may hold, so that another share finds one; all of them without. */
  readonly countPerShare?: number;
  /** Callers that may wait; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
  /** Callers of one share that may wait; as many as of all without. */
  readonly queueLimitPerShare?: number;
  /** Waits of one named caller of a share; as many as of the share without. */
  readonly queueLimitPerCaller?: number;
  /** A caller that waits longer is refused with `OverloadedError`. */
  readonly waitLimitMs: number;
}

/**
 * A bounded pool of permits. Shares are served in turn, and so are the callers of one share: one
 * with a hundred waits delays one with a single wait by one permit at most.
 */
export class Permits {
  readonly #options: Required<PermitsOptions>;
  readonly #waiting = new FairQueue<() => void>();
  readonly #held = new Map<string, number>();
  #heldInAll = 0;
  #isPaused = false;
  #onIdle: (() => void) | undefined;

  constructor(options: PermitsOptions) {
    const { count, queueLimit, queueLimitPerShare = queueLimit } = options;
    this.#options = {
      countPerShare: count,
      queueLimitPerShare,
      queueLimitPerCaller: queueLimitPerShare,
      ...options,
    };
  }

  /** How many permits are in use and exist, and how many callers wait for one. */
  get load(): { readonly used: number; readonly limit: number; readonly waiting: number } {
    return { used: this.#heldInAll, limit: this.#options.count, waiting: this.#waiting.size };
  }

  async hold<T>(work: () => Promise<T>, ...turn: Parameters<Permits["take"]>): Promise<T> {
    const release = await this.take(...turn);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a permit and returns the function that releases it, which must be called. Rejects
   * with `OverloadedError`, and with `ScanStoppedError` when the signal is aborted.
   */
  take(
    share = "",
    signal?: AbortSignal,
    caller = "",
    waitLimitMs = this.#options.waitLimitMs,
  ): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(callerGone());
    if (this.#isFree(share)) return Promise.resolve(this.#grant(share));
    const { queueLimit, queueLimitPerShare, queueLimitPerCaller } = this.#options;
    const all = this.#waiting;
    const isOver = caller !== "" && all.sizeOfCaller(share, caller) >= queueLimitPerCaller;
    if (isOver || all.size >= queueLimit || all.sizeOf(share) >= queueLimitPerShare) {
      return Promise.reject(new OverloadedError(`Cannot wait: ${all.size} are waiting already`));
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        all.remove(place);
      };
      const start = (): void => {
        leave();
        resolve(this.#grant(share));
      };
      const refuse = (error: Error): void => {
        leave();
        reject(error);
      };
      const onAbort = (): void => refuse(callerGone());
      const timer = setTimeout(
        () => refuse(new OverloadedError(`Cannot start within ${waitLimitMs} ms: others run`)),
        waitLimitMs,
      );
      signal?.addEventListener("abort", onAbort);
      const place = all.add(start, share, caller);
    });
  }

  /**
   * Grants no permit from now on, and resolves when none is held with the function that resumes,
   * which must be called. Resumes and resolves with undefined when one is still held after
   * `limitMs`, or when they are paused already.
   */
  async pause(limitMs: number): Promise<(() => void) | undefined> {
    if (this.#isPaused) return undefined;
    this.#isPaused = true;
    let hasResumed = false;
    const resume = (): void => {
      if (hasResumed) return;
      hasResumed = true;
      this.#isPaused = false;
      while (this.#startNext());
    };
    if (this.#heldInAll === 0) return resume;
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
    const { count, countPerShare } = this.#options;
    return (
      !this.#isPaused && this.#heldInAll < count && (this.#held.get(share) ?? 0) < countPerShare
    );
  }

  #grant(share: string): () => void {
    this.#heldInAll += 1;
    this.#held.set(share, (this.#held.get(share) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#heldInAll -= 1;
      const left = (this.#held.get(share) ?? 0) - 1;
      if (left > 0) this.#held.set(share, left);
      else this.#held.delete(share);
      if (this.#heldInAll === 0) this.#onIdle?.();
      this.#startNext();
    };
  }

  /** True if a caller that waited has got a permit. */
  #startNext(): boolean {
    const next = this.#waiting.take((share) => this.#isFree(share));
    if (next === undefined) return false;
    next.item();
    this.#waiting.charge(next);
    return true;
  }
}

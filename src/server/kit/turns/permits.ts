import { callerGone, OverloadedError } from "../storage-errors.ts";

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

/** The waits of one share. Its callers are served in turn, each in its own order. */
class Mates {
  readonly #callers = new Map<string, Set<() => void>>();
  size = 0;

  of(caller: string): number {
    return this.#callers.get(caller)?.size ?? 0;
  }

  add(caller: string, start: () => void): void {
    const own = this.#callers.get(caller) ?? new Set();
    this.#callers.set(caller, own.add(start));
    this.size += 1;
  }

  remove(caller: string, start: () => void): void {
    const own = this.#callers.get(caller);
    if (own?.delete(start) !== true) return;
    this.size -= 1;
    if (own.size === 0) this.#callers.delete(caller);
  }

  /** Starts the next wait; its caller then comes last. */
  startNext(): void {
    for (const [caller, own] of this.#callers) {
      const [start] = own;
      start?.();
      if (own.size > 0) {
        this.#callers.delete(caller);
        this.#callers.set(caller, own);
      }
      return;
    }
  }
}

/**
 * A bounded pool of permits. Shares are served in turn, and so are the callers of one share: one
 * with a hundred waits delays one with a single wait by one permit at most.
 */
export class Permits {
  readonly #options: Required<PermitsOptions>;
  /** The share that got a permit last comes last. */
  readonly #waiting = new Map<string, Mates>();
  readonly #held = new Map<string, number>();
  #heldInAll = 0;
  #waitingInAll = 0;
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
    return { used: this.#heldInAll, limit: this.#options.count, waiting: this.#waitingInAll };
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
  take(share = "", signal?: AbortSignal, caller = ""): Promise<() => void> {
    if (signal?.aborted === true) return Promise.reject(callerGone());
    if (this.#isFree(share)) return Promise.resolve(this.#grant(share));
    const { queueLimit, queueLimitPerShare, queueLimitPerCaller, waitLimitMs } = this.#options;
    const mates = this.#waiting.get(share) ?? new Mates();
    const isOver = caller !== "" && mates.of(caller) >= queueLimitPerCaller;
    if (isOver || this.#waitingInAll >= queueLimit || mates.size >= queueLimitPerShare) {
      return Promise.reject(
        new OverloadedError(`Cannot wait: ${this.#waitingInAll} are waiting already`),
      );
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        mates.remove(caller, start);
        this.#waitingInAll -= 1;
        if (mates.size === 0) this.#waiting.delete(share);
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
      mates.add(caller, start);
      this.#waitingInAll += 1;
      this.#waiting.set(share, mates);
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

  /** Whether a caller that waited has got a permit. */
  #startNext(): boolean {
    for (const [share, mates] of this.#waiting) {
      if (!this.#isFree(share)) continue;
      mates.startNext();
      if (mates.size > 0) {
        this.#waiting.delete(share);
        this.#waiting.set(share, mates);
      }
      return true;
    }
    return false;
  }
}

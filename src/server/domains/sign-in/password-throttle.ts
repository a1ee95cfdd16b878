interface Failures {
  count: number;
  /** No attempt is looked at before this. */
  nextAt: number;
  forgottenAt: number;
}

const rememberedMs = 15 * 60 * 1000;
const longestWaitMs = 5 * 60 * 1000;
const maximumRemembered = 10_000;

/**
 * Slows guessing down: after some wrong passwords for one account from one address each further one
 * doubles the wait. Others can't lock the account's owner out, who comes from another address.
 */
export class Throttle {
  readonly #failures = new Map<string, Failures>();

  constructor(
    private readonly freeAttempts: number,
    private readonly now: () => number,
  ) {}

  /** Milliseconds to wait before the next attempt; 0 when it may come now. */
  waitMs(key: string): number {
    const known = this.#failures.get(key);
    if (known === undefined) return 0;
    if (known.forgottenAt <= this.now()) {
      this.#failures.delete(key);
      return 0;
    }
    return Math.max(0, known.nextAt - this.now());
  }

  /** Counts an attempt before it is checked, so that many at once count as many. */
  begin(key: string): void {
    const now = this.now();
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const beyond = count - this.freeAttempts;
    const waitMs = beyond < 0 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(beyond, 20));
    this.#failures.delete(key);
    this.#failures.set(key, { count, nextAt: now + waitMs, forgottenAt: now + rememberedMs });
    if (this.#failures.size <= maximumRemembered) return;
    const oldest = this.#failures.keys().next();
    if (oldest.done !== true) this.#failures.delete(oldest.value);
  }

  succeed(key: string): void {
    this.#failures.delete(key);
  }
}

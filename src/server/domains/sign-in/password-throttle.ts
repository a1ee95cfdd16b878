interface Failures {
  count: number;
  /** An attempt before this is refused. */
  nextAt: number;
  forgottenAt: number;
}

const rememberedMs = 15 * 60 * 1000;
const longestWaitMs = 5 * 60 * 1000;
const maximumRemembered = 10_000;

/**
 * Slows down guessing: after some wrong passwords for an account from one address, each further one
 * doubles the wait. It cannot lock out the owner of the account, who uses another address.
 */
export class PasswordThrottle {
  readonly #failures = new Map<string, Failures>();

  constructor(
    private readonly freeAttempts: number,
    private readonly now: () => number,
  ) {}

  /** Milliseconds until the next attempt is allowed; 0 for now. */
  waitMs(key: string): number {
    const failures = this.#failures.get(key);
    if (failures === undefined) return 0;
    if (failures.forgottenAt <= this.now()) {
      this.#failures.delete(key);
      return 0;
    }
    return Math.max(0, failures.nextAt - this.now());
  }

  /** Counts an attempt before it is checked, so that parallel attempts count too. */
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

import { RecentMap } from "../../kit/recent-map.ts";

interface Failures {
  readonly count: number;
  /** An attempt before this is refused. */
  readonly nextAt: number;
}

export const rememberedMs = 15 * 60 * 1000;
const longestWaitMs = 5 * 60 * 1000;
/** The last 10,000 are always remembered. */
const maximumRemembered = 20_000;

/**
 * Slows down guessing: after some wrong passwords for an account from one address, each further one
 * doubles the wait. It cannot lock out the owner of the account, who uses another address.
 */
export class PasswordThrottle {
  readonly #failures: RecentMap<string, Failures>;

  constructor(
    private readonly freeAttempts: number,
    private readonly now: () => number,
  ) {
    this.#failures = new RecentMap(maximumRemembered, { lifeMs: rememberedMs, now });
  }

  /** Milliseconds until the next attempt is allowed; 0 for now. */
  waitMs(key: string): number {
    return Math.max(0, (this.#failures.get(key)?.nextAt ?? 0) - this.now());
  }

  /** Counts an attempt before it is checked, so that parallel attempts count too. */
  begin(key: string): void {
    const now = this.now();
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    this.#failures.set(key, { count, nextAt: now + waitAfter(count, this.freeAttempts) });
  }

  succeed(key: string): void {
    this.#failures.delete(key);
  }
}

/** Milliseconds to wait after so many failures. */
export function waitAfter(failures: number, freeAttempts: number): number {
  const beyond = failures - freeAttempts;
  return beyond < 0 ? 0 : Math.min(longestWaitMs, 1000 * 2 ** Math.min(beyond, 20));
}

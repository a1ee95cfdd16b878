import { Refusal } from "#contract/problems.ts";
import { emailKey } from "#lib/email-address.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import { callerNetwork } from "../../kit/turns/caller-network.ts";
import { Permits } from "../../kit/turns/permits.ts";
import { tokenDigest } from "../secrets/service.ts";

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

/** Counts attempts per account and network. It is a digest: an e-mail may have any length. */
export function attemptKey(given: { readonly email: string; readonly address: string }): string {
  return tokenDigest(`${emailKey(given.email)} ${callerNetwork(given.address)}`);
}

/** Attempts that are checked or wait, of all accounts and of one from one address. */
const turns = {
  count: 10_000,
  queueLimit: 10_000,
  queueLimitPerShare: 500,
  waitLimitMs: 30_000,
};
const failuresAtMost = 20_000;
/** Time after which an attempt that was refused unchecked may come again. */
const refusedForMs = 1_000;

/**
 * Attempts for one account from one address run a few at a time, and the others wait for their
 * outcomes: right passwords at once are no guesses. A failure refuses all that wait.
 */
export class AttemptTurns {
  readonly #turns: Permits;
  /** A number for each attempt and failure in order, and that of an account's last failure. */
  #last = 0;
  readonly #failed = new RecentMap<string, number>(failuresAtMost);

  constructor(attemptsAtOnce: number) {
    this.#turns = new Permits({ ...turns, countPerShare: attemptsAtOnce });
  }

  run<Outcome extends { readonly result: string }>(
    key: string,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome | { readonly result: "wait"; readonly waitMs: number }> {
    const arrived = (this.#last += 1);
    const check = async () => {
      if ((this.#failed.get(key) ?? 0) > arrived) {
        return { result: "wait", waitMs: refusedForMs } as const;
      }
      const outcome = await attempt();
      if (outcome.result === "wrong") this.#failed.set(key, (this.#last += 1));
      return outcome;
    };
    return this.#turns.hold<Outcome | { readonly result: "wait"; readonly waitMs: number }>(
      check,
      key,
    );
  }
}

/** 429 with the seconds until the next attempt. */
export function tooManyAttempts(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal("rate-limited", {
    detail: `Too many wrong passwords: try again in ${seconds} s`,
    headers: { "retry-after": String(seconds) },
  });
}

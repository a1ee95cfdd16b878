import { jitteredPauseMs, parseRetryAfterMs, RetryBudget } from "#lib/retry.ts";
import type { TimeLimit } from "#lib/time-limit.ts";
import type { ConnectionFailure } from "./connection.ts";
import type { RetryPolicy } from "./options.ts";
import { isStreamed, type Outgoing } from "./outgoing.ts";

const defaultRetry: RetryPolicy = {
  attempts: 3,
  firstPauseMs: 100,
  longestPauseMs: 5000,
  keyedPosts: true,
};

/** Answers that a later attempt may better; 500 is not among them: it may have had an effect. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** What came of an attempt, and how long it took to come. */
export interface Attempt {
  readonly result: Response | ConnectionFailure;
  readonly tookMs: number;
}

/** Which attempts are made again, and when: by the policy, the budget and the caller's limit. */
export class RetryPlan {
  readonly #policy: RetryPolicy;
  readonly #budget = new RetryBudget();

  constructor(policy: Partial<RetryPolicy> | false | undefined) {
    this.#policy = { ...defaultRetry, ...(policy === false ? { attempts: 1 } : policy) };
  }

  /** The platform answered well; `isRetried`: another attempt than the first. */
  earn(isRetried: boolean): void {
    this.#budget.earn(isRetried);
  }

  /** Milliseconds to wait before the next attempt; `undefined` when this one was the last. */
  pauseMs(
    outgoing: Outgoing,
    failures: number,
    limit: TimeLimit,
    { result, tookMs }: Attempt,
  ): number | undefined {
    if (failures >= this.#policy.attempts || !this.#repeatable(outgoing)) return undefined;
    if (result instanceof Response) {
      if (!retriedStatuses.has(result.status)) return undefined;
      if (outgoing.many && !isRefused(result)) return undefined;
    } else if (result.hopeless || (outgoing.many && !result.neverSent)) return undefined;
    // Without an answer there is none to lose.
    const attemptMs = result instanceof Response ? tookMs : 0;
    return this.#affordable(this.#wantedPauseMs(failures, result), limit, attemptMs);
  }

  /** Milliseconds to wait for an attempt that still runs there; `undefined` where that is too long. */
  waitMs(waits: number, limit: TimeLimit, response: Response): number | undefined {
    return this.#affordable(this.#wantedPauseMs(waits, response), limit);
  }

  /** What the answer asks for, else a pause that grows with their number. */
  #wantedPauseMs(number: number, result: Response | ConnectionFailure): number {
    const field = result instanceof Response ? result.headers.get("retry-after") : null;
    const { firstPauseMs, longestPauseMs } = this.#policy;
    return (
      parseRetryAfterMs(field, Date.now()) ?? jitteredPauseMs(number, firstPauseMs, longestPauseMs)
    );
  }

  /** The pause, paid for; `undefined` where time or budget is short. */
  #affordable(pauseMs: number, limit: TimeLimit, attemptMs = 0): number | undefined {
    // One that would outlast the caller's limit, with an attempt as long as the last one, only delays the
    // same answer, or loses it.
    if (pauseMs + attemptMs >= limit.remainingMs) return undefined;
    return this.#budget.spend() ? pauseMs : undefined;
  }

  #repeatable(outgoing: Outgoing): boolean {
    if (isStreamed(outgoing.body)) return false;
    if (outgoing.method === "GET" || outgoing.method === "HEAD") return true;
    return (
      outgoing.method === "POST" &&
      this.#policy.keyedPosts &&
      outgoing.headers.has("idempotency-key")
    );
  }
}

/** Whether nothing was taken in. A proxy says 503 of a broken connection as well, and names no time. */
function isRefused({ status, headers }: Response): boolean {
  return status === 429 || (status === 503 && headers.has("retry-after"));
}

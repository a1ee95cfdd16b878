import { jitteredPauseMs, parseRetryAfterMs, RetryBudget } from "#lib/time/retry.ts";
import type { TimeLimit } from "#lib/time/time-limit.ts";
import type { ConnectionFailure } from "./connection.ts";
import type { RetryPolicy } from "../options.ts";
import { isRead, isStreamed, type Outgoing } from "./outgoing.ts";

const defaultRetry: RetryPolicy = {
  attempts: 3,
  firstPauseMs: 100,
  longestPauseMs: 5000,
  keyedPosts: true,
};

/** Retried statuses; not 500, since that request may have had an effect. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

export interface Attempt {
  readonly result: Response | ConnectionFailure;
  readonly tookMs: number;
}

/** Decides on retries by the policy, the retry budget and the caller's time limit. */
export class RetryPlan {
  readonly #policy: RetryPolicy;
  readonly #budget = new RetryBudget();

  constructor(policy: Partial<RetryPolicy> | false | undefined) {
    this.#policy = { ...defaultRetry, ...(policy === false ? { attempts: 1 } : policy) };
  }

  /** Adds to the budget after a response below 500; `isRetried`: it was not the first attempt. */
  earn(isRetried: boolean): void {
    this.#budget.earn(isRetried);
  }

  /** The pause before the next attempt; `undefined` when this attempt was the last. */
  pauseMs(
    outgoing: Outgoing,
    failures: number,
    limit: TimeLimit,
    { result, tookMs }: Attempt,
    honoursKeys: boolean,
  ): number | undefined {
    if (failures >= this.#policy.attempts) return undefined;
    const isSafe = honoursKeys || (!(result instanceof Response) && result.neverSent);
    if (!this.#repeatable(outgoing, isSafe)) return undefined;
    if (result instanceof Response) {
      if (!retriedStatuses.has(result.status)) return undefined;
      if (outgoing.many && !isRefused(result)) return undefined;
    } else if (result.hopeless || (outgoing.many && !result.neverSent)) return undefined;
    const attemptMs = result instanceof Response ? tookMs : 0;
    return this.#affordable(this.#nextPauseMs(failures, result), limit, attemptMs);
  }

  /** The wait for an attempt that the platform still runs; `undefined` when it is too long. */
  waitMs(waits: number, limit: TimeLimit, response: Response): number | undefined {
    return this.#affordable(this.#nextPauseMs(waits, response), limit);
  }

  /** `Retry-After`, else a pause that grows with the number of attempts. */
  #nextPauseMs(number: number, result: Response | ConnectionFailure): number {
    const field = result instanceof Response ? result.headers.get("retry-after") : null;
    const { firstPauseMs, longestPauseMs } = this.#policy;
    return (
      parseRetryAfterMs(field, Date.now()) ?? jitteredPauseMs(number, firstPauseMs, longestPauseMs)
    );
  }

  /** The pause, charged to the budget; `undefined` when time or budget is short. */
  #affordable(pauseMs: number, limit: TimeLimit, attemptMs = 0): number | undefined {
    // A next attempt as long as the last one would exceed the limit and lose this response.
    if (pauseMs + attemptMs >= limit.remainingMs) return undefined;
    return this.#budget.spend() ? pauseMs : undefined;
  }

  /** `isSafe`: a write that is sent again has no second effect. */
  #repeatable(outgoing: Outgoing, isSafe: boolean): boolean {
    if (isStreamed(outgoing.body)) return false;
    if (isRead(outgoing.method)) return true;
    return (
      isSafe &&
      outgoing.method === "POST" &&
      this.#policy.keyedPosts &&
      outgoing.headers.has("idempotency-key")
    );
  }
}

/** True if nothing was stored. A proxy's 503 for a broken connection has no `Retry-After`. */
function isRefused({ status, headers }: Response): boolean {
  return status === 429 || (status === 503 && headers.has("retry-after"));
}

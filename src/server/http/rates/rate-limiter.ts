import { Refusal } from "#contract/problems.ts";
import type { Limits } from "../../kit/limits.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import type { Counted, RequestCounts } from "../../kit/turns/request-counts.ts";
import { RateWindows } from "../../kit/turns/rate-windows.ts";

export interface RateOptions {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly now: () => number;
  /** The counts; limiters of one name that are given the same ones share them. */
  readonly counts?: RequestCounts;
}

/** Limits each caller's requests in fixed time windows. */
export class RateLimiter {
  readonly #counts: RequestCounts;
  readonly policy: string;

  constructor(private readonly options: RateOptions) {
    this.#counts = options.counts ?? new RateWindows();
    this.policy = `"${options.name}";q=${options.requests};w=${options.windowSeconds}`;
  }

  /**
   * Counts `cost` requests and adds `RateLimit-Policy` and `RateLimit` (IETF httpapi draft) to the
   * fields. Refuses 429 with `Retry-After` above the quota.
   */
  take(caller: string, fields: Record<string, string>, cost = 1): Promisable<void> {
    return chained(this.#count(caller, cost), ({ count, leftMs }) => {
      const left = this.options.requests - count;
      const seconds = Math.max(1, Math.ceil(leftMs / 1000));
      fields["ratelimit-policy"] = this.policy;
      fields["ratelimit"] = `"${this.options.name}";r=${Math.max(0, left)};t=${seconds}`;
      if (left < 0) {
        throw new Refusal("rate-limited", {
          detail: `Too many requests: retry in ${seconds} s`,
          headers: { "retry-after": String(seconds) },
        });
      }
    });
  }

  /** Uncounts a request that another thread answers and counts again. */
  giveBack(caller: string): Promisable<unknown> {
    return this.#count(caller, -1);
  }

  #count(caller: string, cost: number): Promisable<Counted> {
    const { name, now, windowSeconds, requests } = this.options;
    return this.#counts.count(`${name} ${caller}`, {
      cost,
      limit: requests,
      nowMs: now(),
      windowMs: windowSeconds * 1000,
    });
  }
}

/** The limit on a caller's requests, counted in these windows. */
export function requestRates(
  { rateRequests, rateWindowSeconds }: Limits,
  counts: RequestCounts,
  now: () => Date,
): RateLimiter {
  return new RateLimiter({
    name: "default",
    requests: rateRequests,
    windowSeconds: rateWindowSeconds,
    counts,
    now: () => now().getTime(),
  });
}

import { Refusal } from "#contract/problems.ts";
import type { Limits } from "../../kit/limits.ts";
import { RateWindows } from "../../kit/turns/rate-windows.ts";

export interface RateOptions {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly now: () => number;
  /** The counts; threads that are given the same ones share them. */
  readonly windows?: RateWindows;
}

/** Limits each caller's requests in fixed time windows. */
export class RateLimiter {
  readonly #windows: RateWindows;
  readonly policy: string;

  constructor(private readonly options: RateOptions) {
    this.#windows = options.windows ?? new RateWindows();
    this.policy = `"${options.name}";q=${options.requests};w=${options.windowSeconds}`;
  }

  /**
   * Counts `cost` requests and adds `RateLimit-Policy` and `RateLimit` (IETF httpapi draft) to the
   * fields. Refuses 429 with `Retry-After` above the quota.
   */
  take(caller: string, fields: Record<string, string>, cost = 1): void {
    const { count, leftMs } = this.#count(caller, cost);
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
  }

  /** Uncounts a request that another thread answers and counts again. */
  giveBack(caller: string): void {
    this.#count(caller, -1);
  }

  #count(caller: string, cost: number): { readonly count: number; readonly leftMs: number } {
    const { now, windowSeconds } = this.options;
    return this.#windows.count(caller, { cost, nowMs: now(), windowMs: windowSeconds * 1000 });
  }
}

/** The limit on a caller's requests, counted in these windows. */
export function requestRates(
  { rateRequests, rateWindowSeconds }: Limits,
  windows: RateWindows,
  now: () => Date,
): RateLimiter {
  return new RateLimiter({
    name: "default",
    requests: rateRequests,
    windowSeconds: rateWindowSeconds,
    windows,
    now: () => now().getTime(),
  });
}

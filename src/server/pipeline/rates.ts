import { Refusal } from "#contract/problems.ts";

interface Window {
  count: number;
  endsAt: number;
}

export interface RateOptions {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly now: () => number;
  /** Callers remembered at once; the one that was seen longest ago is forgotten first. */
  readonly maximumCallers?: number;
}

/** Requests of each caller in fixed windows of time, and the fields that tell the caller about it. */
export class RateLimiter {
  readonly #options: RateOptions;
  readonly #windows = new Map<string, Window>();
  readonly #maximumCallers: number;
  readonly policy: string;

  constructor(options: RateOptions) {
    this.#options = options;
    this.#maximumCallers = options.maximumCallers ?? 10_000;
    this.policy = `"${options.name}";q=${options.requests};w=${options.windowSeconds}`;
  }

  /**
   * Counts one request (or `cost` of them) and adds `RateLimit-Policy` and `RateLimit` (IETF
   * httpapi draft) to the fields. Refuses with 429 and `Retry-After` beyond the quota.
   */
  take(caller: string, fields: Record<string, string>, cost = 1): void {
    const now = this.#options.now();
    let window = this.#windows.get(caller);
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#options.windowSeconds * 1000 };
      this.#windows.delete(caller);
      this.#windows.set(caller, window);
      this.#forget();
    }
    window.count += cost;
    const left = this.#options.requests - window.count;
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    fields["ratelimit-policy"] = this.policy;
    fields["ratelimit"] = `"${this.#options.name}";r=${Math.max(0, left)};t=${seconds}`;
    if (left < 0) {
      throw new Refusal("rate-limited", {
        detail: `Too many requests: ask again in ${seconds} s`,
        headers: { "retry-after": String(seconds) },
      });
    }
  }

  #forget(): void {
    if (this.#windows.size <= this.#maximumCallers) return;
    const oldest = this.#windows.keys().next();
    if (oldest.done !== true) this.#windows.delete(oldest.value);
  }
}

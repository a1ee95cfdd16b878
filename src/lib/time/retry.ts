/** Pauses before a retry, and the budget that ends retrying. */

/** `Retry-After` in milliseconds (RFC 9110); a past date is 0, other text is `undefined`. */
export function parseRetryAfterMs(field: string | null, nowMs: number): number | undefined {
  if (field === null) return undefined;
  const text = field.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts far more than HTTP dates, which begin with a day name.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Full jitter: a random pause below `firstMs * 2^(attempt - 1)`, at most `longestMs`. */
export function jitteredPauseMs(
  attempt: number,
  firstMs: number,
  longestMs: number,
  random: () => number = Math.random,
): number {
  return Math.round(random() * Math.min(longestMs, firstMs * 2 ** Math.max(0, attempt - 1)));
}

const capacity = 500;
const retryCost = 14;

/** A budget that retries spend and successes refill, so callers never add to an outage. */
export class RetryBudget {
  #tokens = capacity;

  /** Pays for one retry; false when too little is left. */
  spend(): boolean {
    if (this.#tokens < retryCost) return false;
    this.#tokens -= retryCost;
    return true;
  }

  /** Notes an answer; `retried` refunds the price of its retry. */
  earn(retried: boolean): void {
    this.#tokens = Math.min(capacity, this.#tokens + (retried ? retryCost : 1));
  }
}

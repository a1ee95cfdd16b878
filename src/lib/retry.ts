/** How long to wait before an attempt is made again, and when to stop trying at all. */

/**
 * `Retry-After` in milliseconds (RFC 9110: whole seconds or an HTTP date). A date in the past is 0;
 * whatever is neither gives `undefined`.
 */
export function parseRetryAfterMs(field: string | null, nowMs: number): number | undefined {
  if (field === null) return undefined;
  const text = field.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than HTTP dates: a day name must stand first.
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

/**
 * Tokens that retries spend and successes earn. A platform that fails all the time is soon asked
 * once a call only, so that its callers never add to an outage.
 */
export class RetryBudget {
  #tokens = capacity;

  /** Takes what one retry costs; false when too little is left. */
  spend(): boolean {
    if (this.#tokens < retryCost) return false;
    this.#tokens -= retryCost;
    return true;
  }

  /** An answer came: `retried` gives back what its retry had cost. */
  earn(retried: boolean): void {
    this.#tokens = Math.min(capacity, this.#tokens + (retried ? retryCost : 1));
  }
}

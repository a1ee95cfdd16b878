import { catalogError } from "#contract/errors.ts";

const longestMs = 2 ** 31 - 1;

/**
 * Returns the caller's limit. Throws E305 for `NaN` and for more than 24 days, which no timer
 * supports.
 */
export function requireTimeLimitMs(limitMs: number, name = "timeoutMs"): number {
  if (limitMs >= 1 && limitMs <= longestMs) return limitMs;
  throw catalogError("E305", { details: `${name} must be between 1 and ${longestMs}` });
}

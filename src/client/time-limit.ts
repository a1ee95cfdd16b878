import { catalogError } from "#contract/errors.ts";

const longestMs = 2 ** 31 - 1;

/**
 * A limit that a caller gave, in milliseconds, as it is. Throws E305 for one that no timer can hold: `NaN`
 * and more than 24 days would end at once or never.
 */
export function requireTimeLimitMs(limitMs: number, name = "timeoutMs"): number {
  if (limitMs >= 1 && limitMs <= longestMs) return limitMs;
  throw catalogError("E305", { details: `${name} is not between 1 and ${longestMs}` });
}

import { catalogError } from "#contract/errors.ts";

const longestMs = 2 ** 31 - 1;

/** The caller's limit. Throws E305 for `NaN` and for more than timers support (24 days). */
export function requireTimeLimitMs(limitMs: number, name = "timeoutMs"): number {
  if (limitMs >= 1 && limitMs <= longestMs) return limitMs;
  throw catalogError("E305", { details: `${name} must be between 1 and ${longestMs}` });
}

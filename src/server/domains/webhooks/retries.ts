const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses after failed attempts (interface.md); after the last one a delivery has failed. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
/** A pause is longer by up to this part of itself: endpoints that were away do not fail again. */
const jitter = 0.1;
const longestRetryAfterMs = 24 * hourMs;

/**
 * The pause after so many failed attempts in milliseconds; undefined after the last attempt.
 * `retryAfterMs` is what the endpoint asked for, and `random` a number from 0 to 1.
 */
export function pauseMs(
  attempts: number,
  { retryAfterMs = 0, random }: { readonly retryAfterMs?: number | undefined; random: number },
): number | undefined {
  const pause = pausesMs[attempts - 1];
  if (pause === undefined) return undefined;
  const spread = Math.round(pause * (1 + jitter * random));
  return Math.max(spread, Math.min(retryAfterMs, longestRetryAfterMs));
}

/** The value of `Retry-After` in milliseconds from now; undefined for one that is not valid. */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * secondMs;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

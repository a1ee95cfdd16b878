import { useEffect, useState } from "react";

/** A time that is younger than this needs no frame of its own to be put right. */
const freshMs = 1_000;

/**
 * Milliseconds since 1970, moving on every `everyMs`; ages on the screen follow it. It stands still
 * without a period, so that a screen on which nothing ages stays idle.
 */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    // It may have stood still for long; ages are counted from here on.
    const atOnce = setTimeout(
      () => setNow((then) => (Date.now() - then < freshMs ? then : Date.now())),
      0,
    );
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => {
      clearTimeout(atOnce);
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}

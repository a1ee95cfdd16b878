import { useEffect, useState } from "react";

/**
 * Milliseconds since 1970, moving on every `everyMs`; ages on the screen follow it. It stands still
 * without a period, so that a screen on which nothing ages stays idle.
 */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

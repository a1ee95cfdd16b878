import { useEffect, useState } from "react";

/** A time younger than this is not corrected: that would cost a frame. */
const freshMs = 1_000;

/** Milliseconds since 1970, renewed every `everyMs`; constant without a period. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    // The time may be old when the period starts.
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

import { useEffect, useState } from "react";

/** Milliseconds since 1970, moving on every `everyMs`; ages on the screen follow it. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

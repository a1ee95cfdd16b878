import { useEffect, useState } from "react";

/** The value after it has not changed for a while (debounced). */
export function useSettled(value: string, afterMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (settled === value) return undefined;
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [settled, value, afterMs]);
  return settled;
}

import { useReducer } from "react";
import { useActedAtMs } from "./use-keys.tsx";

interface Shown {
  readonly shown: unknown;
  readonly atMs: number;
}

const noted = (shown: unknown): Shown => ({ shown, atMs: Date.now() });

/**
 * The time that ages are counted to: that of the last change of `shown`, or of the last key that
 * was more than a step of the cursor. An idle screen does not age, so it writes nothing.
 */
export function useAgeTime(shown: unknown): number {
  const actedAtMs = useActedAtMs();
  const [latest, note] = useReducer((_: Shown, now: unknown) => noted(now), shown, noted);
  if (latest.shown !== shown) note(shown);
  return Math.max(actedAtMs, latest.atMs);
}

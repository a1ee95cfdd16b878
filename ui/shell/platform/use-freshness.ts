import { useEffect, useSyncExternalStore } from "react";
import type { AgeLimit, AnswerTime } from "./freshness.ts";
import { paceOf } from "./freshness.ts";
import { usePlatformLink } from "./use-platform.ts";

/** Period of the refreshes of what is visible: shorter while the user looks. */
export function usePaceMs(): number {
  const { attention } = usePlatformLink();
  return paceOf(useSyncExternalStore(attention.subscribe, attention.isLooking));
}

/** Counts an answer as visible; the functions must be the same in each frame. */
export function useShownAnswer(time: AnswerTime | undefined, limit?: AgeLimit): void {
  const { freshness } = usePlatformLink();
  useEffect(
    () => (time === undefined ? undefined : freshness.watch(time, limit)),
    [freshness, time, limit],
  );
}

/** The time of the oldest visible answer once it is no longer live. */
export function useOldTime(): number | undefined {
  const { freshness } = usePlatformLink();
  return useSyncExternalStore(freshness.subscribe, freshness.oldAtMs);
}

import { useEffect, useSyncExternalStore } from "react";
import type { AnswerTime } from "./freshness.ts";
import { paceOf } from "./freshness.ts";
import { usePlatformLink } from "./use-platform.ts";

/** Period of the refreshes of what is visible: shorter while the user looks. */
export function usePaceMs(): number {
  const { attention } = usePlatformLink();
  return paceOf(useSyncExternalStore(attention.subscribe, attention.isLooking));
}

/** Counts an answer as visible; the function must be the same in each frame. */
export function useShownAnswer(time: AnswerTime | undefined): void {
  const { freshness } = usePlatformLink();
  useEffect(() => (time === undefined ? undefined : freshness.watch(time)), [freshness, time]);
}

/** The age of what is visible once it is no longer live. */
export function useShownAge(): number | undefined {
  const { freshness } = usePlatformLink();
  return useSyncExternalStore(freshness.subscribe, freshness.oldMs);
}

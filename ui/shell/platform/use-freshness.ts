import { useEffect, useSyncExternalStore } from "react";
import type { AnswerTime } from "./freshness.ts";
import { paceOf } from "./freshness.ts";
import { usePlatform } from "./use-platform.tsx";

/** Period of the refreshes of what is visible: shorter while the user looks. */
export function usePaceMs(): number {
  const { attention } = usePlatform();
  return paceOf(useSyncExternalStore(attention.subscribe, attention.isLooking));
}

/** Counts an answer as visible; the function must be the same in each frame. */
export function useShownAnswer(time: AnswerTime | undefined): void {
  const { freshness } = usePlatform();
  useEffect(() => (time === undefined ? undefined : freshness.watch(time)), [freshness, time]);
}

/** The age of what is visible once it is no longer live. */
export function useShownAge(): number | undefined {
  const { freshness } = usePlatform();
  return useSyncExternalStore(freshness.subscribe, freshness.oldMs);
}

import { useEffect, useState } from "react";
import type { SearchAnswer, SearchMode } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useSettled } from "../kit/state/use-settled.ts";

/** Whether a text is not looked for yet: one letter says little, if it is no word as one of Chinese. */
export function isTooShort(text: string): boolean {
  return text.length < 2 && !/\p{Script=Han}/u.test(text);
}
/** The longest that the interface takes; of a longer one it is the beginning that is looked for. */
export const longestQuery = 500;
export const resultsAtOnce = 50;
/** A pause in typing of this long asks. */
const pauseMs = 250;
/** What the platform could not answer is asked again after this long. */
const againMs = 5_000;
/** No connection, too many requests, a fault of the platform's: the same question may fare better. */
const passingCodes: readonly (string | undefined)[] = ["E201", "E203"];

export interface SearchQuery {
  readonly text: string;
  readonly mode: SearchMode;
  /** All of the workspace's types without one. */
  readonly objectType: string | undefined;
}

/** Records that a text finds, best first; the old ones stay until the new ones are there. */
export function useSearch(query: SearchQuery): LiveAnswer<SearchAnswer> & {
  /** Whether the answer is to what is typed, and not to what was a moment ago. */
  readonly isCurrent: boolean;
} {
  const { tenantId } = usePlatform();
  const { mode, objectType } = query;
  const wanted = query.text.trim().slice(0, longestQuery).trim();
  const asked = useSettled(wanted, pauseMs);
  const answer = useAnswer<SearchAnswer>(
    ["resources.search", mode, objectType, asked],
    (client, signal) =>
      client.resources.search({
        params: { tenantId },
        body: {
          query: asked,
          mode,
          limit: resultsAtOnce,
          ...(objectType === undefined ? {} : { types: [objectType] }),
        },
        signal,
      }),
    { enabled: tenantId !== undefined && !isTooShort(asked) },
  );
  const { failure, asking, refresh } = answer;
  const isPassing = failure !== undefined && !asking && passingCodes.includes(failure.code);
  // Nothing else asks here: a list has its refreshing, and while one types `r` is a letter.
  useEffect(() => {
    if (!isPassing) return undefined;
    const timer = setTimeout(refresh, againMs);
    return () => clearTimeout(timer);
  }, [isPassing, refresh]);
  const [last, setLast] = useState(answer.value);
  if (answer.value !== undefined && answer.value !== last) setLast(answer.value);
  return {
    ...answer,
    value: isTooShort(asked) ? undefined : (answer.value ?? last),
    isCurrent: asked === wanted,
  };
}

import { useState } from "react";
import type { SearchAnswer, SearchMode } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";
import { usePlatform } from "./use-platform.tsx";
import { useSettled } from "./use-settled.ts";

/** Shorter texts are not looked for. */
export const shortestQuery = 2;
/** The longest that the interface takes; of a longer one it is the beginning that is looked for. */
export const longestQuery = 500;
export const resultsAtOnce = 50;
/** A pause in typing of this long asks. */
const pauseMs = 250;

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
    { enabled: tenantId !== undefined && asked.length >= shortestQuery },
  );
  const [last, setLast] = useState(answer.value);
  if (answer.value !== undefined && answer.value !== last) setLast(answer.value);
  const isShort = asked.length < shortestQuery;
  return {
    ...answer,
    value: isShort ? undefined : (answer.value ?? last),
    isCurrent: asked === wanted,
  };
}

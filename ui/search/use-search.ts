import { useEffect, useState } from "react";
import type { Client, PassageResult, SearchAnswer, SearchMode } from "#client/index.ts";
import { useSettled } from "../kit/state/use-settled.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { passageAsResult } from "./words.ts";

/** Whether a text is too short to search for: one letter is, one Chinese character is not. */
export function isTooShort(text: string): boolean {
  return text.length < 2 && !/\p{Script=Han}/u.test(text);
}
/** Characters that each platform takes; of a longer text the beginning is searched for. */
export const longestQuery = 500;
export const resultsAtOnce = 50;
/** Pause in typing after which the search starts. */
const pauseMs = 250;
const retryMs = 5_000;
/** No connection, too many requests or a platform fault: a retry may succeed. */
const retriedCodes: readonly (string | undefined)[] = ["E201", "E203"];

export interface SearchQuery {
  readonly text: string;
  readonly mode: SearchMode;
  readonly target: SearchTarget;
}

/** Records of all types or of one, or the text of documents. */
export type SearchTarget =
  | { readonly kind: "all" }
  | { readonly kind: "type"; readonly objectType: string }
  | { readonly kind: "documents" };

/** Results as of records; with the passages of documents in the same order. */
export type FoundAnswer = SearchAnswer & { readonly passages?: readonly PassageResult[] };

export interface LiveSearch extends LiveAnswer<FoundAnswer> {
  /** Whether the results belong to the text as it is typed now. */
  readonly isCurrent: boolean;
}

/** Records or passages that match a text, best first; old results stay until new ones arrive. */
export function useSearch({ text, mode, target }: SearchQuery): LiveSearch {
  const typed = text.trim().slice(0, longestQuery).trim();
  const query = useSettled(typed, pauseMs);
  const objectType = target.kind === "type" ? target.objectType : undefined;
  const answer = useAnswer<FoundAnswer>(
    ["search", mode, target.kind, objectType, query],
    (client, signal, tenantId) =>
      target.kind === "documents"
        ? foundPassages(client, query, { mode, tenantId, signal })
        : client.resources.search({
            params: { tenantId },
            body: {
              query,
              mode,
              limit: resultsAtOnce,
              ...(objectType === undefined ? {} : { types: [objectType] }),
            },
            signal,
          }),
    { enabled: !isTooShort(query) },
  );
  const { failure, asking, refresh } = answer;
  const retries = failure !== undefined && !asking && retriedCodes.includes(failure.code);
  // The refresh key is a letter while a text is typed, so the retry has its own timer.
  useEffect(() => {
    if (!retries) return undefined;
    const timer = setTimeout(refresh, retryMs);
    return () => clearTimeout(timer);
  }, [retries, refresh]);
  const [last, setLast] = useState(answer.value);
  if (answer.value !== undefined && answer.value !== last) setLast(answer.value);
  return {
    ...answer,
    value: isTooShort(query) ? undefined : (answer.value ?? last),
    isCurrent: query === typed,
  };
}

async function foundPassages(
  client: Client,
  query: string,
  options: {
    readonly mode: SearchMode;
    readonly tenantId: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<FoundAnswer> {
  const { tenantId, ...others } = options;
  const documents = client.useDocuments(tenantId);
  const { results, ...answer } = await documents.search(query, {
    ...others,
    limit: resultsAtOnce,
  });
  return { ...answer, results: results.map(passageAsResult), passages: results };
}

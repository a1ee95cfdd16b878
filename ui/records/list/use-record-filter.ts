import { useMemo, useState } from "react";
import type { ObjectType, SearchAnswer } from "#client/index.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { splitFilter } from "../../kit/filter/filter-language.ts";
import { useFieldFilter, type Filter } from "../../kit/filter/use-filter.ts";
import { useAnswer } from "../../shell/platform/use-answer.ts";
import { recordFilter } from "./record-filter.ts";

/** Records of a type from which on words are found by the search index: a scan is slow then. */
const indexedFrom = 5_000;
const mostFound = 100;
const refreshMs = 60_000;
const noneYet = JSON.stringify({ id: { $in: [] } });

function isSearchable(type: ObjectType): boolean {
  return Object.values(type.properties).some((property) => property["searchable"] === true);
}

/** The words of a search; the last one is a beginning while it is typed. */
export function wordsToFind(words: string, isTyping: boolean): string {
  return isTyping ? words.replace(/(?:"([\p{L}\p{N}]+)"|([\p{L}\p{N}]+))$/u, "$1$2*") : words;
}

/**
 * The filter of a type's records. In a large type the words alone are looked up in the search
 * index, and the list has the 100 best of them.
 */
export function useRecordFilter(type: ObjectType, noMatch?: string): Filter {
  const typed = useFieldFilter(recordFilter(type, noMatch));
  const { slug, recordCount = 0 } = type;
  const isIndexed = recordCount >= indexedFrom && isSearchable(type);
  const { text, typing } = typed;
  const split = useMemo(
    () => (isIndexed ? splitFilter(text, dataFields(type)) : undefined),
    [type, isIndexed, text],
  );
  const { where } = split ?? {};
  const words = wordsToFind(split?.words ?? "", typing);
  const asked = useAnswer<SearchAnswer>(
    ["resources.search", slug, words, where && JSON.stringify(where)],
    (client, signal, tenantId) =>
      client.resources.search({
        params: { tenantId },
        body: {
          query: words,
          types: [slug],
          limit: mostFound,
          ...(where === undefined ? {} : { where }),
        },
        signal,
      }),
    { enabled: split !== undefined, refreshMs },
  );
  const { value, failure } = asked;
  const found = useMemo(
    () => value && JSON.stringify({ id: { $in: value.results.map(({ id }) => id) } }),
    [value],
  );
  // Until the first answer the list stays as it was.
  const [last, setLast] = useState(split === undefined ? typed.where : noneYet);
  const shown = split === undefined || failure !== undefined ? typed.where : (found ?? last);
  if (shown !== last) setLast(shown);
  if (failure !== undefined) return typed;
  if (split === undefined) return { ...typed, isIndexed };
  const count = value?.results.length ?? 0;
  const fact = value === undefined ? "looking …" : count === mostFound ? `the best ${count}` : "";
  return {
    ...typed,
    isIndexed,
    where: shown,
    facts: [...(fact === "" ? [] : [fact]), ...typed.facts],
  };
}

import type { SearchMode } from "#contract/resources/reads/search-modes.ts";
import type { Reader } from "../../../database/database.ts";
import type { CommonTerms } from "../../../search-index/common-terms.ts";
import { correctionsOf, languagesIn } from "../../../search-index/words.ts";
import type { AskedQuery } from "../../../text/search/asked-query.ts";
import {
  askedTerms,
  askedWord,
  languagesOfQuery,
  weightOfTimes,
  type AskedTerm,
} from "../../../text/search/asked-terms.ts";
import { rarity } from "../../../text/search/ranking.ts";
import { trustIn } from "../../../text/search/spelling.ts";
import { isFunctionWord } from "../../../text/terms/function-words.ts";
import type { LatinLanguage } from "../../../text/terms/languages.ts";
import { isSpelt } from "../../../text/terms/terms.ts";
import {
  countPassages,
  type DocumentCondition,
  type PassageCounts,
  type SearchedScope,
} from "../store/passage-search.ts";

/** Terms of a long question that are searched: the rarest. */
const searchedAtMost = 32;

/** The terms of a search as they are spelt in its scope, and the passages that have them. */
export interface SpeltTerms {
  readonly terms: readonly AskedTerm[];
  readonly counts: PassageCounts;
  /** The correct terms by the names of misspelt ones. */
  readonly corrected: ReadonlyMap<string, AskedTerm>;
}

/** Counts the terms; `hybrid` replaces those that no passage has by a word of their spelling. */
export async function speltTerms(
  {
    scan,
    scope,
    terms,
    languages,
    condition,
  }: {
    readonly scan: Reader;
    readonly scope: SearchedScope;
    readonly terms: readonly AskedTerm[];
    readonly languages: readonly LatinLanguage[];
    readonly condition: DocumentCondition | undefined;
  },
  mode: SearchMode,
  common: Pick<CommonTerms, "countsIn">,
): Promise<SpeltTerms> {
  // A condition on documents selects passages that are not yet known.
  const withHits = condition === undefined;
  const count = (some: readonly AskedTerm[], isSearched = withHits) =>
    countPassages(scan, scope, some, common, isSearched);
  const counts = await count(terms);
  const none = { ...rarestOf(terms, counts), corrected: new Map<string, AskedTerm>() };
  if (mode !== "hybrid") return none;
  const misspelt = terms.filter(({ word, prefixes }, at) => {
    const isMissing = prefixes.length === 0 && counts.having[at] === 0;
    return isMissing && isSpelt(word) && !isFunctionWord(word, languages);
  });
  const corrections = await correctionsOf(() => scan, scope.workspaceId, misspelt, {
    async texts(words) {
      const asked = words.map((word) => askedWord(word, languages));
      return (await count(asked, false)).having;
    },
  });
  if (corrections.size === 0) return none;
  const corrected = new Map(
    misspelt.flatMap(({ term, word, times }) => {
      const correct = corrections.get(word);
      if (correct === undefined) return [];
      const asked = askedWord(correct, languages);
      return [[term, { ...asked, times: times * trustIn(correct, word) }] as const];
    }),
  );
  const all = new Map<string, AskedTerm>();
  for (const each of terms) {
    const spelt = corrected.get(each.term) ?? each;
    const before = all.get(spelt.term);
    if (before === undefined || before.times < spelt.times) all.set(spelt.term, spelt);
  }
  const spelt = [...all.values()];
  return { ...rarestOf(spelt, await count(spelt)), corrected };
}

/** A question in the languages of a workspace. */
export async function readQuestion(
  reader: Reader,
  workspaceId: string,
  question: string,
): Promise<Pick<AskedQuery, "terms" | "languages">> {
  const text = question.normalize("NFC");
  const languages = languagesOfQuery(text, await languagesIn(reader, workspaceId));
  return { terms: askedTerms(text, languages), languages };
}

/** The text whose vector is compared: a query of prefixes alone has those. */
export function textOf(question: string, terms: readonly AskedTerm[]): string {
  return question.trim() === "" ? terms.map(({ word }) => word).join(" ") : question;
}

export function namesOf(corrected: ReadonlyMap<string, AskedTerm>): ReadonlyMap<string, string> {
  return new Map([...corrected].map(([misspelt, { term }]) => [misspelt, term]));
}

/** The terms of a long question that weigh most, in their order. */
function rarestOf(
  terms: readonly AskedTerm[],
  { all, having, hits = [] }: PassageCounts,
): Pick<SpeltTerms, "terms" | "counts"> {
  if (terms.length <= searchedAtMost) return { terms, counts: { all, having, hits } };
  const best = terms
    .map(({ times }, at) => ({ at, weight: rarity(having[at] ?? 0, all) * weightOfTimes(times) }))
    .filter(({ at }) => having[at] !== 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, searchedAtMost)
    .map(({ at }) => at)
    .toSorted((one, other) => one - other);
  return {
    terms: best.flatMap((at) => terms[at] ?? []),
    counts: { all, having: best.map((at) => having[at] ?? 0), hits: best.map((at) => hits[at]) },
  };
}

import type { Embedder } from "../../../text/search/likeness.ts";
import { rarity } from "../../../text/search/ranking.ts";
import { askedWord, weightOfTimes, type AskedTerm } from "../../../text/search/asked-terms.ts";
import { isFunctionWord } from "../../../text/terms/function-words.ts";
import type { LatinLanguage } from "../../../text/terms/languages.ts";
import { isSpelt } from "../../../text/terms/terms.ts";
import type { Reader } from "../../../database/database.ts";
import { ScanStoppedError } from "../../../kit/storage-errors.ts";
import { correctionsOf, similarWords } from "../../../search-index/words.ts";
import type { WeightedTerm } from "../../../search-index/hits.ts";
import { recordCounts, type CompiledType } from "../../object-types/service.ts";
import { newestPassing } from "../store/read/record-pages.ts";
import type { Readers } from "../store/read/scans.ts";
import {
  countTerms,
  countTogether,
  minimumHits,
  searchCandidates,
  type CandidateRecord,
  type SearchScope,
} from "../store/search/candidates.ts";
import type { Condition } from "../../../database/where/condition.ts";

/** A word that so few records have may be misspelt itself. */
const fewRecords = 10;
/** Terms of a long query that are searched, and terms with those of a similar spelling. */
const searchedAtMost = 32;
const termsAtMost = 40;
/** The rarest other words of a query that decide between words of a similar spelling. */
const comparedOthers = 3;
/** Records that match a filter and are read for common terms. */
const matchBounds = { rows: 50_000, limit: 300 };
/** For all types of a search together, so that rare matches do not slow down the search. */
const matchTimeLimitMs = 1_000;

export interface CandidateSearch {
  readonly readers: Readers;
  /** A reader for one statement, with the rest of the search's time. */
  readonly reader: () => Reader;
  readonly signal: AbortSignal;
  readonly workspaceId: string;
  readonly types: readonly CompiledType[];
  readonly terms: readonly AskedTerm[];
  /** The languages of the terms. */
  readonly languages: readonly LatinLanguage[];
  /** Finds words like those of the query; undefined to search only the words themselves. */
  readonly embedder: Embedder | undefined;
  /** True if words that are like the frequent ones count too. */
  readonly includesFrequent: boolean;
  /** True if a word of their spelling may replace terms that no record has. */
  readonly mayCorrect: () => Promise<boolean>;
  readonly condition: Condition | undefined;
  readonly limit: number;
  /** Candidates in addition to {@link limit}. */
  readonly spare: number;
}

export interface Candidates {
  /** The best first, by the terms that they contain. */
  readonly records: readonly CandidateRecord[];
  /** The terms of the query as they are spelt, the rarest of a long one. */
  readonly terms: readonly AskedTerm[];
  /** The weight of each term that any record has. */
  readonly rarities: ReadonlyMap<string, number>;
  /** The correct words by the misspelt ones that they replace. */
  readonly corrections: ReadonlyMap<string, string>;
}

/** Records that may match the query, from the index alone. */
export async function findCandidates(search: CandidateSearch): Promise<Candidates> {
  const { reader, workspaceId, types, condition } = search;
  if (types.length === 0 || search.terms.length === 0) {
    return { records: [], terms: search.terms, rarities: new Map(), corrections: new Map() };
  }
  const scope: SearchScope = { workspaceId, typeNumbers: types.map(({ number }) => number) };
  const all = await recordsIn(reader(), scope);
  const written = await raritiesOf(reader(), scope, search.terms, all);
  const corrected = await correctTerms(search, scope, written.rarities);
  const { corrections } = corrected;
  const { rarities, areCommon, highestCount } =
    corrections.size === 0 ? written : await raritiesOf(reader(), scope, corrected.terms, all);
  const terms = heaviest(corrected.terms, rarities);
  const known = terms.filter(({ term }) => rarities.has(term));
  const similar = await similarTerms({ ...search, terms }, scope, rarities, all);
  const own = known.map(({ term, indexed, times }) => {
    return { indexed, weight: (rarities.get(term) ?? 0) * weightOfTimes(times) };
  });
  const weighted = [...own, ...similar]
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, termsAtMost);
  const together = { terms: known.map(({ indexed }) => indexed), areCommon };
  const query = { terms: weighted, together, limit: search.limit + search.spare };
  if (condition === undefined) {
    const records = await searchCandidates(reader(), { scope, ...query });
    return { records, terms, rarities, corrections };
  }
  // A filter compiles to different SQL for each type.
  const records: CandidateRecord[] = [];
  let timeLimit: AbortSignal | undefined;
  for (const type of types) {
    const own = { workspaceId, typeNumbers: [type.number] };
    const filter = { type, condition };
    const found = await searchCandidates(reader(), { scope: own, ...query, filter });
    records.push(...found);
    if (found.length < search.limit && highestCount > minimumHits) {
      timeLimit ??= AbortSignal.timeout(matchTimeLimitMs);
      records.push(...(await newestMatches(search, type, condition, found, timeLimit)));
    }
  }
  return { records, terms, rarities, corrections };
}

/** A filter that few records match may have no match among the newest records of a common term. */
async function newestMatches(
  { readers, signal }: CandidateSearch,
  type: CompiledType,
  condition: Condition,
  found: readonly CandidateRecord[],
  timeLimit: AbortSignal,
): Promise<CandidateRecord[]> {
  if (timeLimit.aborted) return [];
  const known = new Set(found.map(({ id }) => id));
  const records: CandidateRecord[] = [];
  try {
    const caller = { signal: AbortSignal.any([signal, timeLimit]) };
    for await (const batch of newestPassing(readers, type, condition, matchBounds, caller)) {
      records.push(
        ...batch
          .filter(({ id }) => !known.has(id))
          .map((record) => ({ ...record, type_number: type.number })),
      );
    }
  } catch (error) {
    // No index serves the filter: use the records read so far.
    if (!(error instanceof ScanStoppedError && timeLimit.aborted && !signal.aborted)) throw error;
  }
  return records;
}

/** The terms of a long query that weigh most, in their order. */
function heaviest(
  terms: readonly AskedTerm[],
  rarities: ReadonlyMap<string, number>,
): readonly AskedTerm[] {
  if (terms.length <= searchedAtMost) return terms;
  const weightOf = ({ term, times }: AskedTerm): number =>
    (rarities.get(term) ?? 0) * weightOfTimes(times);
  const best = terms.toSorted((one, other) => weightOf(other) - weightOf(one));
  const kept = new Set(best.slice(0, searchedAtMost).filter((term) => weightOf(term) > 0));
  return terms.filter((term) => kept.has(term));
}

async function recordsIn(reader: Reader, scope: SearchScope): Promise<number> {
  const counts = await recordCounts(reader, scope.workspaceId);
  return scope.typeNumbers.reduce((sum, number) => sum + (counts.get(number) ?? 0), 0);
}

/** Weights of terms, whether all of them are too frequent to count, and the highest count. */
async function raritiesOf(
  reader: Reader,
  scope: SearchScope,
  terms: readonly AskedTerm[],
  records: number,
): Promise<{ rarities: Map<string, number>; areCommon: boolean; highestCount: number }> {
  const counts = await countTerms(reader, scope, terms);
  const rarities = new Map<string, number>();
  counts.forEach(({ count, isCapped }, at) => {
    // The true number is between the counted one and all records.
    const having = isCapped ? Math.sqrt(count * Math.max(count, records)) : count;
    if (count > 0) rarities.set(terms[at]?.term ?? "", rarity(having, records));
  });
  return {
    rarities,
    areCommon: counts.every(({ isCapped }) => isCapped),
    highestCount: counts.reduce((highestCount, { count }) => Math.max(highestCount, count), 0),
  };
}

interface CorrectedTerms {
  readonly terms: readonly AskedTerm[];
  readonly corrections: ReadonlyMap<string, string>;
}

/** The terms; a word of the same spelling replaces each that no record has. */
async function correctTerms(
  { reader, workspaceId, terms, languages, mayCorrect }: CandidateSearch,
  scope: SearchScope,
  rarities: ReadonlyMap<string, number>,
): Promise<CorrectedTerms> {
  const misspelt = terms.filter(({ term, word, prefixes }) => {
    const isMissing = prefixes.length === 0 && !rarities.has(term);
    return isMissing && isSpelt(word) && !isFunctionWord(word, languages);
  });
  if (misspelt.length === 0 || !(await mayCorrect())) return { terms, corrections: new Map() };
  const asked = (words: readonly string[]) => words.map((word) => askedWord(word, languages));
  const rarest = terms
    .filter(({ term }) => rarities.has(term))
    .toSorted((one, other) => (rarities.get(other.term) ?? 0) - (rarities.get(one.term) ?? 0));
  const corrections = await correctionsOf(reader, workspaceId, misspelt, {
    async texts(words) {
      return (await countTerms(reader(), scope, asked(words))).map(({ count }) => count);
    },
    async together(words) {
      for (const others of [rarest.slice(0, comparedOthers), rarest.slice(0, 1)]) {
        if (others.length === 0) break;
        const counts = await countTogether(reader(), scope, asked(words), others);
        if (counts.some((count) => count > 0)) return counts;
      }
      return [];
    },
  });
  if (corrections.size === 0) return { terms, corrections };
  const spelt = terms.map((each) => {
    const correct = misspelt.includes(each) ? corrections.get(each.word) : undefined;
    return correct === undefined ? each : { ...askedWord(correct, languages), times: each.times };
  });
  const distinct = new Map(spelt.map((each) => [each.term, each]));
  return { terms: [...distinct.values()], corrections };
}

/** Words of the workspace that are like those of the query, with lower weights. */
async function similarTerms(
  { reader, workspaceId, terms, languages, embedder, includesFrequent }: CandidateSearch,
  scope: SearchScope,
  rarities: ReadonlyMap<string, number>,
  records: number,
): Promise<WeightedTerm[]> {
  if (embedder === undefined) return [];
  const fewWeight = rarity(Math.min(fewRecords, records / 10), records);
  const asked = new Set(terms.map(({ term }) => term));
  const found = new Map<string, { readonly term: AskedTerm; readonly similarity: number }>();
  for (const { term, word, prefixes } of terms) {
    const isFrequent = (rarities.get(term) ?? Infinity) < fewWeight;
    if (!isSpelt(word) || prefixes.length > 0 || (isFrequent && !includesFrequent)) continue;
    for (const near of await similarWords(reader(), workspaceId, word, embedder)) {
      const like = askedWord(near.word, languages);
      const before = found.get(like.term)?.similarity ?? 0;
      if (asked.has(like.term) || before >= near.similarity) continue;
      found.set(like.term, { term: like, similarity: near.similarity });
    }
  }
  const words = [...found.values()];
  const known = await raritiesOf(
    reader(),
    scope,
    words.map(({ term }) => term),
    records,
  );
  return words.flatMap(({ term: { term, indexed }, similarity }) => {
    const weight = known.rarities.get(term);
    return weight === undefined ? [] : [{ indexed, weight: weight * similarity ** 2 }];
  });
}

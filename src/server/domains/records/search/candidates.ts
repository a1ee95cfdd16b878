import type { Embedder } from "../../../text/search/likeness.ts";
import { rarity } from "../../../text/search/ranking.ts";
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
  minimumHits,
  searchCandidates,
  type CandidateRecord,
  type SearchScope,
} from "../store/search/candidates.ts";
import type { Condition } from "../../../database/where/condition.ts";

/** A word that so few records have may be misspelt itself. */
const fewRecords = 10;
const termsAtMost = 24;
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
  readonly terms: readonly string[];
  /** Finds words like those of the query; undefined to search only the words themselves. */
  readonly embedder: Embedder | undefined;
  /** True if words that are like the frequent ones count too. */
  readonly includesFrequent: boolean;
  /** True if terms that no record has are replaced by a word of their spelling. */
  readonly corrects: boolean;
  readonly condition: Condition | undefined;
  readonly limit: number;
  /** Candidates in addition to {@link limit}. */
  readonly spare: number;
}

export interface Candidates {
  /** The best first, by the terms that they contain. */
  readonly records: readonly CandidateRecord[];
  /** The weight of each term of the query that any record has, or of the term's correction. */
  readonly rarities: ReadonlyMap<string, number>;
  /** Misspelt terms of the query with the word that replaces each. */
  readonly corrections: ReadonlyMap<string, string>;
}

/** Records that may match the query, from the index alone. */
export async function findCandidates(search: CandidateSearch): Promise<Candidates> {
  const { reader, workspaceId, types, condition } = search;
  if (types.length === 0 || search.terms.length === 0) {
    return { records: [], rarities: new Map(), corrections: new Map() };
  }
  const scope: SearchScope = { workspaceId, typeNumbers: types.map(({ number }) => number) };
  const all = await recordsIn(reader(), scope);
  const written = await raritiesOf(reader(), scope, search.terms, all);
  const corrections = await correctTerms(search, scope, written.rarities);
  const terms = [...new Set(search.terms.map((term) => corrections.get(term) ?? term))];
  const { rarities, areCommon, highestCount } =
    corrections.size === 0 ? written : await raritiesOf(reader(), scope, terms, all);
  const similar = await similarTerms({ ...search, terms }, scope, rarities, all);
  const weighted = [...termsOf(rarities, 1), ...similar]
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, termsAtMost);
  const together = { terms: [...rarities.keys()], areCommon };
  const query = { terms: weighted, together, limit: search.limit + search.spare };
  if (condition === undefined) {
    const records = await searchCandidates(reader(), { scope, ...query });
    return { records, rarities, corrections };
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
  return { records, rarities, corrections };
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

function termsOf(rarities: ReadonlyMap<string, number>, share: number): WeightedTerm[] {
  return [...rarities].map(([term, weight]) => ({ term, weight: weight * share }));
}

async function recordsIn(reader: Reader, scope: SearchScope): Promise<number> {
  const counts = await recordCounts(reader, scope.workspaceId);
  return scope.typeNumbers.reduce((sum, number) => sum + (counts.get(number) ?? 0), 0);
}

/** Weights of terms, whether all of them are too frequent to count, and the highest count. */
async function raritiesOf(
  reader: Reader,
  scope: SearchScope,
  terms: readonly string[],
  records: number,
): Promise<{ rarities: Map<string, number>; areCommon: boolean; highestCount: number }> {
  const counts = await countTerms(reader, scope, terms);
  const rarities = new Map<string, number>();
  counts.forEach(({ count, isCapped }, at) => {
    // The true number is between the counted one and all records.
    const having = isCapped ? Math.sqrt(count * Math.max(count, records)) : count;
    if (count > 0) rarities.set(terms[at] ?? "", rarity(having, records));
  });
  return {
    rarities,
    areCommon: counts.every(({ isCapped }) => isCapped),
    highestCount: counts.reduce((highestCount, { count }) => Math.max(highestCount, count), 0),
  };
}

/** The terms that no record has, with the word of their spelling that replaces each. */
async function correctTerms(
  { reader, workspaceId, terms, corrects }: CandidateSearch,
  scope: SearchScope,
  rarities: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, string>> {
  if (!corrects) return new Map();
  const misspelt = terms.filter((term) => isSpelt(term) && !rarities.has(term));
  return correctionsOf(reader, workspaceId, misspelt, async (words) => {
    const counts = await countTerms(reader(), scope, words);
    return counts.map(({ count }) => count);
  });
}

/** Words of the workspace that are like those of the query, with lower weights. */
async function similarTerms(
  { reader, workspaceId, terms, embedder, includesFrequent }: CandidateSearch,
  scope: SearchScope,
  rarities: ReadonlyMap<string, number>,
  records: number,
): Promise<WeightedTerm[]> {
  if (embedder === undefined) return [];
  const fewWeight = rarity(Math.min(fewRecords, records / 10), records);
  const found = new Map<string, number>();
  for (const term of terms) {
    const isFrequent = (rarities.get(term) ?? Infinity) < fewWeight;
    if (!isSpelt(term) || (isFrequent && !includesFrequent)) continue;
    const best = await similarWords(reader(), workspaceId, term, embedder);
    for (const { word, similarity } of best) {
      if (terms.includes(word)) continue;
      found.set(word, Math.max(similarity, found.get(word) ?? 0));
    }
  }
  const known = await raritiesOf(reader(), scope, [...found.keys()], records);
  return [...known.rarities].map(([term, weight]) => ({
    term,
    weight: weight * (found.get(term) ?? 0) ** 2,
  }));
}

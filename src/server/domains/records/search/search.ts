import { maximumPageBytes } from "#contract/limits.ts";
import type {
  ResourceSearch,
  SearchAnswer,
  SearchResult,
} from "#contract/resources/reads/search.ts";
import type { JsonObject } from "#contract/values.ts";
import { highlightsOf } from "../../../text/search/highlights.ts";
import { readQuery, WholeText, type AskedQuery } from "../../../text/search/asked-query.ts";
import { TermFinder, weightOfTimes, type AskedTerm } from "../../../text/search/asked-terms.ts";
import { hashedLetters, type Embedder } from "../../../text/search/likeness.ts";
import { bm25, WordLikeness } from "../../../text/search/ranking.ts";
import { textsOf, type SearchedText } from "../../../text/search/searched-texts.ts";
import type { TextWord } from "../../../text/terms/text-words.ts";
import { SearchTurns } from "../../../search-index/search-turns.ts";
import { languagesIn } from "../../../search-index/words.ts";
import type { Work } from "../../../work/work.ts";
import type { CandidateRecord } from "../store/search/candidates.ts";
import { requireCondition } from "../where/record-filter.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../../object-types/service.ts";
import { requireTypes } from "../current-type.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { AnswerBudget } from "../../../kit/answer-budget.ts";
import type { FieldChoice } from "../store/read/projection.ts";
import { chosen, selected, selectionOf } from "../read/selection.ts";
import { findCandidates, type Candidates, type CandidateSearch } from "./candidates.ts";
import { countWords, titleOf, type CountedWords } from "./record-words.ts";

/**
 * The weight of the similarity next to the words' score as a share of the best: where the words may
 * be of fields that are not readable, and where no record has some word of the query.
 */
const vectorWeights = { hidden: 0.25, unknown: 1 };
/** The score of a record whose title is the query, next to the best of the others. */
const wholeTitleWeight = 1.05;
/** Candidates in addition to the requested results. */
const spareCandidates = 100;
/** Candidates where many may be no results, by the signs of the query or by hidden fields. */
const moreCandidates = 1_000;
/** Characters of candidates that are weighed; the candidates are sorted by worth. */
const weighedCharacters = 1_000_000;
/** Characters of candidates that are read for the results of a query with signs. */
const readCharacters = 8_000_000;

interface Weighed extends CountedWords {
  readonly type: ReadableType;
  readonly id: string;
  readonly data: JsonObject;
  readonly texts: readonly SearchedText[];
  /** True if its title is the query. */
  readonly isWholeTitle: boolean;
  /** The size of the stored data. */
  readonly bytes: number;
}

interface Scored extends Weighed {
  /** 0 where the record is not in this ranking. */
  readonly fulltext: number;
  readonly vector: number;
  /** The record's words that are most like those of the query. */
  readonly similarWords: ReadonlySet<string>;
}

interface Ranked {
  readonly score: number;
  readonly item: Scored;
}

interface BestRecords {
  readonly best: Ranked[];
  /** Finds the terms of the query, as they are spelt, in a text. */
  readonly finder: TermFinder;
}

type SearchBounds = Pick<CandidateSearch, "reader" | "signal" | "workspaceId" | "condition"> & {
  readonly work: Work;
  readonly types: readonly ReadableType[];
  readonly asked: AskedQuery;
};

/** The index only proposes candidates; their current texts decide (spec 4.2), on both engines. */
export class ResourceSearches {
  readonly #embedder: Embedder = hashedLetters;
  readonly #turns = new SearchTurns();

  constructor(
    private readonly options: {
      readonly objectTypes: ObjectTypeService;
      readonly answers: AnswerBudget;
    },
  ) {}

  /** Refuses 422 with a pointer for an unknown type and an invalid filter. */
  run(
    work: Work,
    workspaceId: string,
    search: ResourceSearch,
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    const run = (timeLimitMs: number) =>
      this.#run(work, workspaceId, search, { signal, timeLimitMs });
    return this.#turns.run(run, workspaceId, signal, work.scope.caller);
  }

  async #run(
    work: Work,
    workspaceId: string,
    search: ResourceSearch,
    { signal, timeLimitMs }: { readonly signal: AbortSignal; readonly timeLimitMs: number },
  ): Promise<SearchAnswer> {
    const { mode } = search;
    const named =
      search.types === undefined
        ? await this.#allReadable(work, workspaceId)
        : await requireTypes(work, this.options.objectTypes, workspaceId, search.types);
    const { objectTypes, answers } = this.options;
    const selection = await selectionOf(objectTypes, work, named, search, "body");
    const types = named.filter(({ searched }) => searched.length > 0);
    const condition = requireCondition(search.where ?? {}, ["where"], types);
    const deadlineMs = performance.now() + timeLimitMs;
    const reader = () =>
      work.scan.with({
        signal,
        timeLimitMs: Math.max(1, Math.ceil(deadlineMs - performance.now())),
        share: workspaceId,
      });
    const asked = readQuery(search.query, await languagesIn(reader(), workspaceId));
    const bounds = { work, reader, signal, workspaceId, types, condition, asked };
    const { best, finder } = await this.#best(bounds, search);
    const results: { type: ReadableType; item: SearchResult }[] = [];
    let bytes = 0;
    const share = new TickShare(workspaceId);
    for (const { score, item } of best) {
      await share.yieldWhenUsed();
      bytes += sentBytes(selection.choice, item);
      if (bytes > maximumPageBytes && results.length > 0) break;
      results.push({ type: item.type, item: resultOf(item, score, finder, mode) });
    }
    return {
      results: await answers.during(workspaceId, (hold) =>
        selected(objectTypes, work, selection, results, { hold, signal, place: "body" }),
      ),
      mode,
      ...(mode === "fulltext" ? {} : { embedding: this.#embedder.name }),
    };
  }

  /**
   * The best results, at most as many as the search wants. Candidates may match only by fields that
   * the caller may not read, or may lack a phrase: then more of them are weighed, so that they take
   * no result's place.
   */
  async #best(bounds: SearchBounds, search: ResourceSearch): Promise<BestRecords> {
    const drops = bounds.asked.isStrict || bounds.types.some((type) => type.isPartial);
    const first = await this.#ranked(bounds, search, spareCandidates);
    const isShort = first.best.length < search.limit && first.hasMoreCandidates;
    if (!drops || !isShort) return first;
    return this.#ranked(bounds, search, moreCandidates);
  }

  async #ranked(
    bounds: SearchBounds,
    { mode, limit }: ResourceSearch,
    spare: number,
  ): Promise<BestRecords & { readonly hasMoreCandidates: boolean }> {
    const { types, workspaceId, asked, work } = bounds;
    const isPartial = types.some((type) => type.isPartial);
    const candidates = await findCandidates({
      ...bounds,
      readers: work,
      terms: asked.terms,
      languages: asked.languages,
      mayCorrect: async () => mode === "hybrid" && (await this.#readsAll(work, workspaceId)),
      embedder: mode === "fulltext" ? undefined : this.#embedder,
      includesFrequent: mode === "vector",
      limit,
      spare,
    });
    const { terms, corrections } = candidates;
    const finder = new TermFinder(terms);
    const weighed = await weigh(types, candidates.records, {
      workspaceId,
      asked,
      whole: new WholeText(asked, corrections),
      finder,
      isSpelt: mode !== "fulltext",
      minimumCount: limit,
    });
    const rarities = isPartial ? readableRarities(weighed, terms) : candidates.rarities;
    const isAllKnown = terms.every(({ term, prefixes }) => {
      return prefixes.length > 0 || rarities.has(term);
    });
    const ofVector = isAllKnown ? (isPartial ? vectorWeights.hidden : 0) : vectorWeights.unknown;
    const share = new TickShare(workspaceId);
    const scored = await this.#scored(weighed, { terms, rarities, mode, share, isPartial });
    return {
      best: ordered(scored, mode, ofVector).slice(0, limit),
      finder,
      hasMoreCandidates: candidates.records.length >= limit + spare,
    };
  }

  async #allReadable(work: Work, workspaceId: string): Promise<ReadableType[]> {
    const types = await this.options.objectTypes.all(work, workspaceId);
    return types.flatMap((type) => readableFields(work, type) ?? []);
  }

  /**
   * True if the caller may read all records of the workspace, whatever types are searched: the
   * words of all of them decide whether and how a word is corrected.
   */
  async #readsAll(work: Work, workspaceId: string): Promise<boolean> {
    const types = await this.options.objectTypes.all(work, workspaceId);
    return types.every((type) => readableFields(work, type)?.isPartial === false);
  }

  async #scored(
    weighed: readonly Weighed[],
    {
      terms,
      rarities,
      mode,
      share,
      isPartial,
    }: {
      readonly terms: readonly AskedTerm[];
      readonly rarities: Candidates["rarities"];
      readonly mode: ResourceSearch["mode"];
      readonly share: TickShare;
      readonly isPartial: boolean;
    },
  ): Promise<Scored[]> {
    const weightedTerms = terms.map(({ term, times }) => {
      return { term, rarity: (rarities.get(term) ?? 0) * weightOfTimes(times) };
    });
    // The average length counts records that match only by fields which the caller may not read.
    const words = bm25(weighed, weightedTerms, isPartial ? 0 : undefined);
    const best = words.reduce((most, each) => Math.max(most, each), 0);
    const names = terms.filter(({ prefixes }) => prefixes.length === 0).map(({ term }) => term);
    const likeness = new WordLikeness(this.#embedder, names);
    const none = { score: 0, words: new Set<string>() };
    const scored: Scored[] = [];
    for (const [at, record] of weighed.entries()) {
      await share.yieldWhenUsed();
      const like =
        mode === "fulltext" ? none : likeness.ofRecord({ ...record, counts: record.spelt });
      const ofWords = record.isWholeTitle ? best * wholeTitleWeight : (words[at] ?? 0);
      const fulltext = mode === "vector" ? 0 : ofWords;
      scored.push({ ...record, fulltext, vector: like.score, similarWords: like.words });
    }
    return scored;
  }
}

/** Counts the words of candidates that the query wants, for at least `minimumCount` of them. */
async function weigh(
  types: readonly ReadableType[],
  records: readonly CandidateRecord[],
  {
    workspaceId,
    asked,
    whole,
    finder,
    isSpelt,
    minimumCount,
  }: {
    readonly workspaceId: string;
    readonly asked: AskedQuery;
    readonly whole: WholeText;
    readonly finder: TermFinder;
    /** True if the spelling of all words is wanted too. */
    readonly isSpelt: boolean;
    readonly minimumCount: number;
  },
): Promise<Weighed[]> {
  const byNumber = new Map(types.map((type) => [type.number, type]));
  const titleNames = new Map(types.map((type) => [type, titleOf(type)]));
  const weighed: Weighed[] = [];
  let characters = 0;
  const share = new TickShare(workspaceId);
  for (const record of records) {
    if (characters > weighedCharacters && weighed.length >= minimumCount) break;
    if (asked.isStrict && characters > readCharacters) break;
    await share.yieldWhenUsed();
    const type = byNumber.get(record.type_number);
    if (type === undefined) continue;
    // Only the platform writes the column, and only objects.
    const data = JSON.parse(record.data) as JsonObject;
    const texts = textsOf(type.searched, data);
    for (const { text } of texts) characters += text.length;
    if (!asked.passes(texts.map(({ text }) => text))) continue;
    const title = titleNames.get(type);
    const counted = countWords(texts, { finder, title, isSpelt });
    const isWholeTitle = texts.some(({ property, text }) => property === title && whole.is(text));
    // Hidden fields count for nothing: the number of results would tell of their size.
    const bytes = type.isPartial ? type.dataText(record.data).length : record.data.length;
    weighed.push({ type, id: record.id, data, texts, bytes, isWholeTitle, ...counted });
  }
  return weighed;
}

/**
 * Equal weights of the terms that the caller may read: the index also counts the terms of fields
 * that the caller may not read, which the scores would show.
 */
function readableRarities(
  weighed: readonly Weighed[],
  terms: readonly AskedTerm[],
): ReadonlyMap<string, number> {
  const known = terms.filter(({ term }) => weighed.some(({ counts }) => counts.has(term)));
  return new Map(known.map(({ term }) => [term, 1]));
}

/** The best first, newer ones before equal older ones; records without a score are left out. */
function ordered(
  scored: readonly Scored[],
  mode: ResourceSearch["mode"],
  ofVector: number,
): Ranked[] {
  const listed = (list: "fulltext" | "vector"): Scored[] =>
    scored
      .filter((item) => item[list] > 0)
      .toSorted((one, other) => other[list] - one[list] || newer(one, other));
  if (mode !== "hybrid") return listed(mode).map((item) => ({ score: item[mode], item }));
  if (ofVector === 0) {
    return listed("fulltext").map((item) => ({ score: item.fulltext, item }));
  }
  const most = scored.reduce((best, { fulltext }) => Math.max(best, fulltext), 0);
  return scored
    .filter(({ fulltext, vector }) => fulltext > 0 || vector > 0)
    .map((item) => {
      const words = most === 0 ? 0 : item.fulltext / most;
      return { score: (words + ofVector * item.vector) / (1 + ofVector), item };
    })
    .toSorted((one, other) => other.score - one.score || newer(one.item, other.item));
}

/** Ids sort by time of creation. */
function newer(one: Scored, other: Scored): number {
  return one.id < other.id ? 1 : one.id > other.id ? -1 : 0;
}

/** The size of a result's data as it is sent. */
function sentBytes(choice: FieldChoice | undefined, { data, bytes }: Scored): number {
  return choice === undefined ? bytes : JSON.stringify(chosen(choice, data)).length;
}

function resultOf(
  item: Scored,
  score: number,
  finder: TermFinder,
  mode: ResourceSearch["mode"],
): SearchResult {
  const marked = (word: TextWord): readonly string[] => {
    const terms = finder.termsOf(word);
    const isSimilar = terms.length === 0 && mode !== "fulltext" && item.similarWords.has(word.term);
    return isSimilar ? [word.term] : terms;
  };
  return {
    type: item.type.slug,
    id: item.id,
    score,
    scores: {
      fulltext: item.fulltext > 0 ? item.fulltext : null,
      vector: item.vector > 0 ? item.vector : null,
    },
    highlights: highlightsOf(item.texts, marked),
    data: item.type.inOrder(item.data),
  };
}

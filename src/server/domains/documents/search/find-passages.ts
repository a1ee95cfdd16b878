import type { SearchMode } from "#contract/resources/reads/search-modes.ts";
import type { Reader } from "../../../database/database.ts";
import { RecentMap } from "../../../kit/recent-map.ts";
import { ModelError } from "../../../models/model-error.ts";
import type { EmbeddingModel } from "../../../models/models.ts";
import type { AskedQuery } from "../../../text/search/asked-query.ts";
import { hashedLetters } from "../../../text/search/likeness.ts";
import { rarity, WordLikeness } from "../../../text/search/ranking.ts";
import { isSpelt } from "../../../text/terms/terms.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformBase } from "../../base.ts";
import { correctionsOf, similarWords } from "../../../search-index/words.ts";
import { CommonTerms } from "../../../search-index/common-terms.ts";
import { passageSource, type EntrySource } from "../../../search-index/sources.ts";
import { PassageVectors } from "../embedding/passage-vectors.ts";
import { questionTerms } from "../passage-terms.ts";
import {
  countPassages,
  documentsIn,
  otherDocuments,
  passagesAt,
  searchedTerms,
  searchPassages,
  type DocumentCondition,
  type PassageCounts,
  type SearchedTerms,
  type SearchedPassage,
  type SearchedScope,
} from "../store/passage-search.ts";
import { pageTexts } from "../store/page-texts.ts";
import { isAnythingIndexed, type PassageScope } from "../store/passages.ts";
import { rankPassages } from "./rank-passages.ts";

const usualLimitMs = 10_000;
const sourcesAtMost = 10_000;
const candidates = 200;
/** Candidates for a query whose signs drop many of them. */
const strictCandidates = 1_000;
/** Searches for candidates of other documents, when few documents have all of them. */
const candidateRounds = 4;
/** The weight of the nearest vectors next to that of words. */
const vectorWeight = 0.3;
/** The embedder without a model: it compares the spelling of words. */
const embedder = hashedLetters;

/** A passage with the scores of both rankings; null where it is not in one. */
export interface RankedPassage {
  readonly passage: SearchedPassage;
  readonly score: number;
  readonly fulltext: number | null;
  readonly vector: number | null;
}

export interface FoundPassages {
  /** The passages of the scope, best first. */
  readonly ranked: readonly RankedPassage[];
  /** The rarity of each term of the question, and of its corrections, in the scope. */
  readonly rarities: ReadonlyMap<string, number>;
  /** The rarity of a term that one passage has. */
  readonly rarest: number;
  /** Misspelt terms of the question with the word that replaces each. */
  readonly corrections: ReadonlyMap<string, string>;
  /** The mode that was used. */
  readonly mode: SearchMode;
  /** The embedding model of the vectors, or `hashed`. */
  readonly embedding?: string;
  /** Words that are spelt like those of the question. */
  readonly similar: readonly string[];
  /** The reason why there are no vectors although a model is configured. */
  readonly note?: string;
}

export interface FindOptions {
  readonly signal: AbortSignal;
  /** Time of each of its statements (default 10 s). */
  readonly timeLimitMs?: number;
  readonly condition?: DocumentCondition | undefined;
  readonly mode?: SearchMode;
  /** The number of documents that are wanted, if so many match (default 1). */
  readonly documents?: number;
  /** The passages that are results, among those with the words; all by default. */
  readonly asked?: AskedQuery | undefined;
}

interface Search {
  readonly work: Work;
  readonly scan: Reader;
  readonly scope: SearchedScope;
  readonly terms: readonly string[];
  readonly condition: DocumentCondition | undefined;
  readonly documents: number;
  readonly asked: AskedQuery | undefined;
}

/** Near passages, nearest first, or why there are none. */
interface Near {
  readonly found: readonly { readonly passage: SearchedPassage; readonly likeness: number }[];
  readonly note?: string;
}

const nothingNear: Near = { found: [] };

const nothingFound = {
  ranked: [],
  rarities: new Map<string, number>(),
  rarest: 1,
  corrections: new Map<string, string>(),
  similar: [],
};

/** The terms of a search as they are spelt in its scope, and the passages that have them. */
interface SpeltTerms {
  readonly terms: readonly string[];
  readonly counts: PassageCounts;
  readonly corrections: ReadonlyMap<string, string>;
}

/** Finds the passages of a scope that are about a question, by their words and their vectors. */
export class PassageFinder {
  readonly #vectors: PassageVectors;
  readonly #common: CommonTerms;
  readonly #sources = new RecentMap<string, EntrySource>(sourcesAtMost);

  constructor({
    platformWork,
    models,
    lifetime,
  }: Pick<PlatformBase, "platformWork" | "models" | "lifetime">) {
    this.#common = new CommonTerms(platformWork);
    this.#vectors = new PassageVectors(platformWork, models);
    lifetime.onClose(() => this.#vectors.close());
  }

  /** The mode is by words alone, or with the vectors of a model where there is one. */
  async find(
    work: Work,
    scope: PassageScope,
    question: string,
    options: FindOptions,
  ): Promise<FoundPassages> {
    const { signal, condition, mode = this.#usualMode, documents = 1, asked } = options;
    const { timeLimitMs = usualLimitMs } = options;
    const scan = work.scan.with({ signal, timeLimitMs, share: scope.workspaceId });
    const model = mode === "fulltext" ? undefined : this.#vectors.model;
    const source = await this.#sourceOf(scan, scope.workspaceId);
    if (source === undefined) {
      return { ...nothingFound, mode, ...embeddingName(mode, model) };
    }
    const searched = { ...scope, source };
    const terms = questionTerms(question);
    const search = { work, scan, scope: searched, terms, condition, documents, asked };
    if (model === undefined) return this.#byWords(search, mode);
    const [spelt, near] = await Promise.all([
      this.#spelt(search, mode),
      this.#near(model, { ...search, question, signal }),
    ]);
    const { note } = near;
    if (note !== undefined) return { ...(await this.#byWords(search, mode)), note };
    const words = searchedTerms(scan.dialect, spelt.terms, spelt.counts);
    const found = mode === "vector" ? [] : await candidatesOf(search, words);
    const known = new Set(found.map(placeOf));
    const added = near.found.filter(
      ({ passage }) => !known.has(placeOf(passage)) && isAsked(asked, passage),
    );
    const all = [...found, ...added.map(({ passage }) => passage)];
    const { ranked, ...weights } = ranking(spelt, all);
    const likeness = new Map(near.found.map((each) => [placeOf(each.passage), each.likeness]));
    const scored = ranked.map((each) => ({
      ...each,
      vector: likeness.get(placeOf(each.passage)) ?? null,
    }));
    const { corrections } = spelt;
    return {
      ranked: combined(mode, scored),
      ...weights,
      mode,
      corrections,
      similar: [...corrections.values()],
      ...embeddingName(mode, model),
    };
  }

  /** True if the scope has an indexed document. */
  hasDocuments({ read }: Work, scope: PassageScope): Promise<boolean> {
    return isAnythingIndexed(read, scope);
  }

  /** The texts of pages, with which a caller compares quotes; missing pages are left out. */
  pageTexts(
    { read }: Work,
    workspaceId: string,
    places: Parameters<typeof pageTexts>[2],
  ): ReturnType<typeof pageTexts> {
    return pageTexts(read, workspaceId, places);
  }

  /** A workspace's source never changes. */
  async #sourceOf(reader: Reader, workspaceId: string): Promise<EntrySource | undefined> {
    const known = this.#sources.get(workspaceId);
    if (known !== undefined) return known;
    const source = await passageSource(reader, workspaceId);
    if (source !== undefined) this.#sources.set(workspaceId, source);
    return source;
  }

  get #usualMode(): SearchMode {
    return this.#vectors.model === undefined ? "fulltext" : "hybrid";
  }

  /** Searches without a model: `hybrid` corrects words that no passage has, `vector` all. */
  async #byWords(search: Search, mode: SearchMode): Promise<FoundPassages> {
    const { scan, scope, terms } = search;
    const spelt = await this.#spelt(search, mode);
    const { counts, corrections } = spelt;
    const similar = new Set(corrections.values());
    if (mode === "vector") {
      for (const term of terms.filter(isSpelt)) {
        for (const { word } of await similarWords(scan, scope.workspaceId, term, embedder)) {
          similar.add(word);
        }
      }
    }
    const rarest = rarity(1, counts.all);
    const words = {
      ...searchedTerms(scan.dialect, spelt.terms, counts),
      similar: [...similar]
        .filter((word) => !spelt.terms.includes(word))
        .map((term) => ({ term, weight: rarest })),
    };
    const found = await candidatesOf(search, words);
    const isMisspelt = mode === "vector" || corrections.size > 0;
    const spelling = isMisspelt ? new WordLikeness(embedder, terms) : undefined;
    const { ranked, ...weights } = ranking(spelt, found, spelling);
    return {
      ranked: mode === "hybrid" ? ranked.filter(hasWords) : combined(mode, ranked),
      ...weights,
      mode,
      corrections,
      similar: [...similar],
      ...embeddingName(mode, undefined),
    };
  }

  /** Counts the terms; `hybrid` replaces those that no passage has by a word of their spelling. */
  async #spelt({ scan, scope, terms }: Search, mode: SearchMode): Promise<SpeltTerms> {
    const count = (words: readonly string[]) => countPassages(scan, scope, words, this.#common);
    const counts = await count(terms);
    const none = { terms, counts, corrections: new Map<string, string>() };
    if (mode !== "hybrid") return none;
    const misspelt = terms.filter((term, at) => isSpelt(term) && counts.having[at] === 0);
    const corrections = await correctionsOf(
      () => scan,
      scope.workspaceId,
      misspelt,
      async (words) => (await count(words)).having,
    );
    if (corrections.size === 0) return none;
    const corrected = [...new Set(terms.map((term) => corrections.get(term) ?? term))];
    return { terms: corrected, counts: await count(corrected), corrections };
  }

  async #near(
    model: EmbeddingModel,
    search: Search & { readonly question: string; readonly signal: AbortSignal },
  ): Promise<Near> {
    const { work, scan, scope, question, condition, signal } = search;
    const { workspaceId } = scope;
    try {
      const among = await documentsIn(scan, scope, condition);
      if (among?.size === 0) return nothingNear;
      const request = { limit: candidates, among, signal };
      const nearest = () => this.#vectors.nearest(work, model, workspaceId, question, request);
      let near = await nearest();
      let passages = await passagesAt(scan, workspaceId, near);
      const living = new Set(passages.map(({ documentId }) => documentId));
      const gone = near.map(({ documentId }) => documentId).filter((id) => !living.has(id));
      if (gone.length > 0) {
        // They take the places of others.
        await this.#vectors.forget(workspaceId, [...new Set(gone)]);
        near = await nearest();
        passages = await passagesAt(scan, workspaceId, near);
      }
      const byPlace = new Map(passages.map((passage) => [placeOf(passage), passage]));
      return {
        found: near.flatMap((place) => {
          const passage = byPlace.get(placeOf(place));
          return passage === undefined ? [] : [{ passage, likeness: place.likeness }];
        }),
      };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { found: [], note: error.message };
    }
  }
}

/** The candidates by their words, with the weights of the terms. */
function ranking(
  { terms, counts: { all, having } }: SpeltTerms,
  found: readonly SearchedPassage[],
  spelling?: WordLikeness,
): { ranked: RankedPassage[]; rarities: ReadonlyMap<string, number>; rarest: number } {
  const passages = Math.max(all, found.length);
  const weighed = terms.map((term, index) => {
    // A word that no passage has may be another form of one.
    return [term, rarity(Math.max(1, having[index] ?? 0), passages)] as const;
  });
  const ranked = rankPassages(found, weighed, spelling).map(({ passage, score, likeness }) => ({
    passage,
    score,
    fulltext: score > 0 ? score : null,
    vector: likeness > 0 ? likeness : null,
  }));
  return { ranked, rarities: new Map(weighed), rarest: rarity(1, passages) };
}

/** Candidates of as many documents as are wanted: one large document may have all of the best. */
async function candidatesOf(
  { scan, scope, condition, documents, asked }: Search,
  words: SearchedTerms,
): Promise<SearchedPassage[]> {
  const found: SearchedPassage[] = [];
  const known = new Set<string>();
  const atOnce = asked?.isStrict === true ? strictCandidates : candidates;
  for (let round = 0; round < candidateRounds; round += 1) {
    const others = known.size === 0 ? condition : otherDocuments(known, condition);
    const more = await searchPassages(scan, scope, words, atOnce, others);
    found.push(...more.filter((passage) => isAsked(asked, passage)));
    for (const { documentId } of more) known.add(documentId);
    // A search of frequent terms may find some passages twice.
    if (more.length < atOnce / 2 || known.size >= documents) break;
  }
  return found;
}

function embeddingName(
  mode: SearchMode,
  model: EmbeddingModel | undefined,
): { embedding?: string } {
  return mode === "fulltext" ? {} : { embedding: model?.name ?? embedder.name };
}

/** Passages by words and vectors: the words' score as a share of the best, plus the vector. */
function combined(mode: SearchMode, scored: readonly RankedPassage[]): RankedPassage[] {
  if (mode === "fulltext") return scored.filter(hasWords);
  const byVector = scored.filter(({ vector }) => vector !== null);
  const nearest = byVector.reduce((best, { vector }) => Math.max(best, vector ?? 0), 0);
  const order = (list: RankedPassage[]) => list.toSorted((one, other) => other.score - one.score);
  if (mode === "vector") {
    return order(byVector.map((each) => ({ ...each, score: each.vector ?? 0, fulltext: null })));
  }
  if (byVector.length === 0) return scored.filter(hasWords);
  const best = scored.reduce((most, { fulltext }) => Math.max(most, fulltext ?? 0), 0);
  return order(
    scored
      .filter((each) => hasWords(each) || each.vector !== null)
      .map((each) => {
        const words = best === 0 ? 0 : (each.fulltext ?? 0) / best;
        const near = nearest === 0 ? 0 : (each.vector ?? 0) / nearest;
        return { ...each, score: (words + vectorWeight * near) / (1 + vectorWeight) };
      }),
  );
}

/** True for a passage that has the phrases of the query, and nothing that it excludes. */
function isAsked(asked: AskedQuery | undefined, { text }: SearchedPassage): boolean {
  return asked === undefined || asked.passes([text]);
}

function hasWords({ fulltext }: RankedPassage): boolean {
  return fulltext !== null;
}

function placeOf({ documentId, ordinal }: { documentId: string; ordinal: number }): string {
  return `${documentId}/${ordinal}`;
}

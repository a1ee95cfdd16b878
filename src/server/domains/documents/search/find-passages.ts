import type { SearchMode } from "#contract/resources/reads/search-modes.ts";
import type { Reader } from "../../../database/database.ts";
import { RecentMap } from "../../../kit/recent-map.ts";
import { ModelError } from "../../../models/model-error.ts";
import type { EmbeddingModel } from "../../../models/models.ts";
import { askedWord, type AskedTerm } from "../../../text/search/asked-terms.ts";
import type { AskedQuery } from "../../../text/search/asked-query.ts";
import type { LatinLanguage } from "../../../text/terms/languages.ts";
import { hashedLetters } from "../../../text/search/likeness.ts";
import { rarity, WordLikeness } from "../../../text/search/ranking.ts";
import { isSpelt } from "../../../text/terms/terms.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformBase } from "../../base.ts";
import { languagesIn, similarWords } from "../../../search-index/words.ts";
import { CommonTerms } from "../../../search-index/common-terms.ts";
import { passageSource, type EntrySource } from "../../../search-index/sources.ts";
import { PassageVectors } from "../embedding/passage-vectors.ts";
import {
  documentsIn,
  otherDocuments,
  passagesAt,
  searchedTerms,
  searchPassages,
  type DocumentCondition,
  type SearchedTerms,
  type SearchedPassage,
  type SearchedScope,
} from "../store/passage-search.ts";
import { pageTexts } from "../store/page-texts.ts";
import { isAnythingIndexed, type PassageScope } from "../store/passages.ts";
import { combined, hasWords, type RankedPassage } from "./combine-rankings.ts";
import { rankPassages, type WeighedTerm } from "./rank-passages.ts";
import { namesOf, readQuestion, speltTerms, textOf, type SpeltTerms } from "./spelt-terms.ts";

const usualLimitMs = 10_000;
const sourcesAtMost = 10_000;
const candidates = 200;
/** Candidates for a query whose signs drop many of them. */
const strictCandidates = 1_000;
/** Searches for candidates of other documents, when few documents have all of them. */
const candidateRounds = 4;
/** The embedder without a model: it compares the spelling of words. */
const embedder = hashedLetters;

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
  readonly similar: readonly AskedTerm[];
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
  readonly terms: readonly AskedTerm[];
  readonly languages: readonly LatinLanguage[];
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
    const query = asked ?? (await readQuestion(scan, scope.workspaceId, question));
    const { terms, languages } = query;
    const search = { work, scan, scope: searched, terms, languages, condition, documents, asked };
    if (model === undefined) return this.#byWords(search, mode);
    const [spelt, near] = await Promise.all([
      speltTerms(search, mode, this.#common),
      this.#near(model, { ...search, question: textOf(question, terms), signal }),
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
    return {
      ranked: combined(mode, scored),
      ...weights,
      mode,
      corrections: namesOf(spelt.corrected),
      similar: [...spelt.corrected.values()],
      ...embeddingName(mode, model),
    };
  }

  /** The languages of a workspace's texts, in which a query is read. */
  languages({ read }: Work, workspaceId: string): Promise<LatinLanguage[]> {
    return languagesIn(read, workspaceId);
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
    const { scan, scope, terms, languages } = search;
    const spelt = await speltTerms(search, mode, this.#common);
    const { counts, corrected } = spelt;
    const similar = new Map([...corrected.values()].map((each) => [each.term, each]));
    if (mode === "vector") {
      for (const { word: asked } of terms.filter(({ word }) => isSpelt(word))) {
        for (const { word } of await similarWords(scan, scope.workspaceId, asked, embedder)) {
          const term = askedWord(word, languages);
          similar.set(term.term, term);
        }
      }
    }
    const rarest = rarity(1, counts.all);
    const known = new Set(spelt.terms.map(({ term }) => term));
    const words = {
      ...searchedTerms(scan.dialect, spelt.terms, counts),
      similar: [...similar.values()]
        .filter(({ term }) => !known.has(term))
        .map(({ indexed }) => ({ indexed, weight: rarest })),
    };
    const found = await candidatesOf(search, words);
    const isMisspelt = mode === "vector" || corrected.size > 0;
    const names = terms.filter(({ prefixes }) => prefixes.length === 0).map(({ term }) => term);
    const spelling = isMisspelt ? new WordLikeness(embedder, names) : undefined;
    const { ranked, ...weights } = ranking(spelt, found, spelling);
    return {
      ranked: mode === "hybrid" ? ranked.filter(hasWords) : combined(mode, ranked),
      ...weights,
      mode,
      corrections: namesOf(corrected),
      similar: [...similar.values()],
      ...embeddingName(mode, undefined),
    };
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
  const weighed = terms.map((term, index): WeighedTerm => {
    // A word that no passage has may be another form of one.
    return { ...term, rarity: rarity(Math.max(1, having[index] ?? 0), passages) };
  });
  const ranked = rankPassages(found, weighed, spelling).map(({ passage, score, likeness }) => ({
    passage,
    score,
    fulltext: score > 0 ? score : null,
    vector: likeness > 0 ? likeness : null,
  }));
  const rarities = new Map(weighed.map((each) => [each.term, each.rarity]));
  return { ranked, rarities, rarest: rarity(1, passages) };
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

/** True for a passage that has the phrases of the query, and nothing that it excludes. */
function isAsked(asked: AskedQuery | undefined, { text }: SearchedPassage): boolean {
  return asked === undefined || asked.passes([text]);
}

function placeOf({ documentId, ordinal }: { documentId: string; ordinal: number }): string {
  return `${documentId}/${ordinal}`;
}

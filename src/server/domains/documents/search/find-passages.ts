import type { SearchMode } from "#contract/resources/search-modes.ts";
import type { Reader } from "../../../database/database.ts";
import { ModelError } from "../../../models/model-error.ts";
import type { EmbeddingModel } from "../../../models/models.ts";
import { fused, rarity } from "../../../text/search/ranking.ts";
import type { PlatformBase } from "../../base.ts";
import { PassageVectors } from "../embedding/passage-vectors.ts";
import { questionTerms } from "../passage-terms.ts";
import {
  countPassages,
  documentsIn,
  passagesAt,
  searchPassages,
  type DocumentCondition,
  type SearchedPassage,
} from "../store/passage-search.ts";
import type { PassageScope } from "../store/passages.ts";
import { rankPassages } from "./rank-passages.ts";

const timeLimitMs = 10_000;
const candidates = 200;
/** The weight of the nearest vectors next to that of words. */
const vectorWeight = 0.6;

/** A passage with the scores of both rankings; null where it is not in one. */
export interface RankedPassage {
  readonly passage: SearchedPassage;
  readonly score: number;
  readonly fulltext: number | null;
  readonly vector: number | null;
}

export interface FoundPassages {
  /** Best first. */
  readonly ranked: readonly RankedPassage[];
  /** The rarity of each term of the question in the scope. */
  readonly rarities: ReadonlyMap<string, number>;
  /** The mode that was used. */
  readonly mode: SearchMode;
  /** The embedding model of the vectors. */
  readonly embedding?: string;
  /** Why there are no vectors although a model is configured. */
  readonly note?: string;
}

export interface FindOptions {
  readonly signal: AbortSignal;
  readonly condition?: DocumentCondition | undefined;
  readonly mode?: SearchMode;
}

/** Near passages, nearest first, or why there are none. */
interface Near {
  readonly found: readonly { readonly passage: SearchedPassage; readonly likeness: number }[];
  readonly note?: string;
}

const nothingNear: Near = { found: [] };

/** Finds the passages of a scope that are about a question, by their words and their vectors. */
export class PassageFinder {
  readonly #database: PlatformBase["database"];
  readonly #vectors: PassageVectors;

  constructor({
    database,
    models,
    lifetime,
  }: Pick<PlatformBase, "database" | "models" | "lifetime">) {
    this.#database = database;
    this.#vectors = new PassageVectors(database, models);
    lifetime.onClose(() => this.#vectors.close());
  }

  async find(
    scope: PassageScope,
    question: string,
    { signal, condition, mode = "hybrid" }: FindOptions,
  ): Promise<FoundPassages> {
    const scan = this.#database.scan.with({ signal, timeLimitMs, share: scope.workspaceId });
    const terms = questionTerms(question);
    const model = mode === "fulltext" ? undefined : this.#vectors.model;
    const search = () => searchPassages(scan, scope, terms, candidates, condition);
    const [words, near] = await Promise.all([
      mode === "vector" && model !== undefined ? [] : search(),
      model === undefined
        ? nothingNear
        : this.#near(model, { scan, scope, question, condition, signal }),
    ]);
    const hasVectors = model !== undefined && near.note === undefined;
    const found = mode === "vector" && !hasVectors && words.length === 0 ? await search() : words;
    const note = near.note === undefined ? {} : { note: near.note };
    if (!hasVectors) {
      const { ranked, rarities } = await this.#byWords(scan, scope, terms, found);
      return { ranked: ranked.filter(hasWords), rarities, mode: "fulltext", ...note };
    }
    const named = { mode, embedding: model.name, ...note };
    const known = new Set(found.map(placeOf));
    const added = near.found.filter(({ passage }) => !known.has(placeOf(passage)));
    const all = [...found, ...added.map(({ passage }) => passage)];
    const { ranked, rarities } = await this.#byWords(scan, scope, terms, all);
    return { ranked: combined(mode, ranked, near), rarities, ...named };
  }

  async #byWords(
    scan: Reader,
    scope: PassageScope,
    terms: readonly string[],
    found: readonly SearchedPassage[],
  ): Promise<{ ranked: RankedPassage[]; rarities: ReadonlyMap<string, number> }> {
    if (found.length === 0) return { ranked: [], rarities: new Map() };
    const { all, having } = await countPassages(scan, scope, terms);
    const weighed = terms.map((term, index) => {
      // A word that no passage has may be another form of one.
      return [term, rarity(Math.max(1, having[index] ?? 0), Math.max(all, found.length))] as const;
    });
    const ranked = rankPassages(found, weighed).map(({ passage, score }) => ({
      passage,
      score,
      fulltext: score > 0 ? score : null,
      vector: null,
    }));
    return { ranked, rarities: new Map(weighed) };
  }

  async #near(
    model: EmbeddingModel,
    {
      scan,
      scope,
      question,
      condition,
      signal,
    }: FindOptions & {
      readonly scan: Reader;
      readonly scope: PassageScope;
      readonly question: string;
    },
  ): Promise<Near> {
    const { workspaceId } = scope;
    try {
      const among = await documentsIn(scan, scope, condition);
      if (among?.size === 0) return nothingNear;
      const request = { limit: candidates, among, signal };
      const nearest = () => this.#vectors.nearest(model, workspaceId, question, request);
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

/** Reciprocal rank fusion of the passages by words and those by vectors, or the latter alone. */
function combined(mode: SearchMode, ranked: readonly RankedPassage[], near: Near): RankedPassage[] {
  const likeness = new Map(near.found.map((each) => [placeOf(each.passage), each.likeness]));
  const scored = ranked.map((each) => ({
    ...each,
    vector: likeness.get(placeOf(each.passage)) ?? null,
  }));
  const byVector = scored
    .filter(({ vector }) => vector !== null)
    .toSorted((one, other) => (other.vector ?? 0) - (one.vector ?? 0));
  if (mode === "vector") {
    return byVector.map((each) => ({ ...each, score: each.vector ?? 0, fulltext: null }));
  }
  const scores = fused([
    { items: scored.filter(hasWords), weight: 1 },
    { items: byVector, weight: vectorWeight },
  ]);
  return [...scores]
    .map(([each, score]) => ({ ...each, score }))
    .toSorted((one, other) => other.score - one.score);
}

function hasWords({ fulltext }: RankedPassage): boolean {
  return fulltext !== null;
}

function placeOf({ documentId, ordinal }: { documentId: string; ordinal: number }): string {
  return `${documentId}/${ordinal}`;
}

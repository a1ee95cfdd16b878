import type { Reader } from "../database/database.ts";
import { likeness, triplesOf, type Embedder } from "../text/search/likeness.ts";
import { leastLikeness } from "../text/search/ranking.ts";
import { wordsWithTriples } from "./words.ts";

const wordsAtMost = 6;
/** Words of the workspace that are compared with one of the query. */
const comparedAtMost = 60;

interface SimilarWord {
  readonly word: string;
  /** A number between 0 and 1. */
  readonly similarity: number;
}

/** The words of a workspace that are spelt most like a word of a query, the best first. */
export async function similarWords(
  reader: Reader,
  workspaceId: string,
  term: string,
  embedder: Embedder,
): Promise<SimilarWord[]> {
  const vector = embedder.embed(term);
  const near = await wordsWithTriples(reader, workspaceId, {
    triples: triplesOf(term),
    shortest: Math.floor(term.length * 0.6),
    longest: Math.ceil(term.length * 1.7),
    limit: comparedAtMost,
  });
  return near
    .map((word) => ({ word, similarity: likeness(vector, embedder.embed(word)) }))
    .filter(({ word, similarity }) => word !== term && similarity >= leastLikeness)
    .toSorted((one, other) => other.similarity - one.similarity || (one.word < other.word ? -1 : 1))
    .slice(0, wordsAtMost);
}

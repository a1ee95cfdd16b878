import { bm25, rarity } from "../../text/search/ranking.ts";
import type { CheckedPassage } from "./answer-engine.ts";
import { selectPassages, verifyQuote } from "../../text/passages/select-passages.ts";
import type { PassageSource } from "../../text/passages/select-passages.ts";
import type { Database } from "../../database/database.ts";
import { searchChunks } from "../documents/store/chunks.ts";
import type { ChunkScope, FoundChunk } from "../documents/store/chunks.ts";
import { isAnythingIndexed } from "../documents/store/chunks.ts";
import { pageTexts } from "../documents/store/pages.ts";
import { passageTerms, questionTerms } from "../documents/terms.ts";

/** Passages that the index hands over to be ranked. */
const candidates = 100;
const searchTimeLimitMs = 10_000;

export interface Retrieved {
  /** Best first, each quote checked against its stored page. */
  readonly passages: readonly CheckedPassage[];
  readonly hasDocuments: boolean;
}

/**
 * The passages of a scope that best answer a question: the index finds, our own BM25 ranks (so both
 * engines rank alike), sentences are picked, and every quote is compared with the stored page, to
 * the letter, before anybody sees it.
 */
export async function retrieve(
  database: Database,
  scope: ChunkScope,
  question: string,
  signal: AbortSignal,
): Promise<Retrieved> {
  const share = scope.workspaceId;
  const scan = database.scan.with({ signal, timeLimitMs: searchTimeLimitMs, share });
  const terms = questionTerms(question);
  const found = await searchChunks(scan, scope, terms, candidates);
  if (found.length === 0) {
    return { passages: [], hasDocuments: await isAnythingIndexed(scan, scope) };
  }
  const sources = rank(found, terms).map(({ chunk, score }) => ({ chunk: sourceOf(chunk), score }));
  const selected = selectPassages(question, sources);
  const pages = await pageTexts(
    database.read,
    scope.workspaceId,
    selected.map(({ chunk, page }) => ({ documentId: chunk.found.documentId, page })),
  );
  const passages = selected.flatMap(({ chunk, page, start, end, quote, score }) => {
    const { documentId, documentNumber, filename, mediaType } = chunk.found;
    const stored = pages.find((each) => each.documentId === documentId && each.page === page);
    if (stored === undefined || !verifyQuote(stored.text, { start, end }, quote)) return [];
    return [{ documentId, documentNumber, filename, mediaType, page, start, end, quote, score }];
  });
  return { passages, hasDocuments: true };
}

interface Source extends PassageSource {
  readonly found: FoundChunk;
}

function sourceOf(found: FoundChunk): Source {
  const { documentId, page, start, end, text, filename, title } = found;
  const context = [filename, title].filter((words) => words !== undefined).join(" ");
  return { found, documentId, page, start, end, text, context };
}

/** BM25 among the candidates: the rarer a word among them, the more it tells. */
export function rank(
  found: readonly FoundChunk[],
  terms: readonly string[],
): { chunk: FoundChunk; score: number }[] {
  const counted = found.map((chunk) => {
    const words = passageTerms(chunk.text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const weighed = terms.map((term) => {
    const having = counted.filter(({ counts }) => counts.has(term)).length;
    return { term, rarity: rarity(having, counted.length) };
  });
  const scores = bm25(counted, weighed);
  return found
    .map((chunk, index) => ({ chunk, score: scores[index] ?? 0 }))
    .toSorted((a, b) => b.score - a.score || compare(a.chunk, b.chunk));
}

/** The same order on every engine where scores are equal. */
function compare(a: FoundChunk, b: FoundChunk): number {
  if (a.documentId !== b.documentId) return a.documentId < b.documentId ? -1 : 1;
  return a.ordinal - b.ordinal;
}

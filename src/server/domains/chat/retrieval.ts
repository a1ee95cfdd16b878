import { bm25, rarity } from "../../text/search/ranking.ts";
import type { CheckedPassage } from "./answer-engine.ts";
import {
  selectPassages,
  verifyQuote,
  type PassageSource,
} from "../../text/passages/select-passages.ts";
import type { Database } from "../../database/database.ts";
import {
  isAnythingIndexed,
  pageTexts,
  passageTerms,
  questionTerms,
  searchPassages,
  type FoundPassage,
  type PassageScope,
} from "../documents/service.ts";

/** Maximum number of passages to rank. */
const candidates = 100;
const searchTimeLimitMs = 10_000;

export interface Retrieved {
  /** Best first. */
  readonly passages: readonly CheckedPassage[];
  readonly hasDocuments: boolean;
}

/**
 * The passages of a scope that best answer a question. BM25 runs here, so that both databases rank
 * the same, and each quote is compared with its stored page.
 */
export async function retrieve(
  database: Database,
  scope: PassageScope,
  question: string,
  signal: AbortSignal,
): Promise<Retrieved> {
  const share = scope.workspaceId;
  const scan = database.scan.with({ signal, timeLimitMs: searchTimeLimitMs, share });
  const terms = questionTerms(question);
  const found = await searchPassages(scan, scope, terms, candidates);
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
  readonly found: FoundPassage;
}

function sourceOf(found: FoundPassage): Source {
  const { documentId, page, start, end, text, filename, title } = found;
  const context = [filename, title].filter((words) => words !== null).join(" ");
  return { found, documentId, page, start, end, text, context };
}

/** Ranks the candidates by BM25, with the rarity of words among them. */
export function rank(
  found: readonly FoundPassage[],
  terms: readonly string[],
): { chunk: FoundPassage; score: number }[] {
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

/** A stable order for equal scores. */
function compare(a: FoundPassage, b: FoundPassage): number {
  if (a.documentId !== b.documentId) return a.documentId < b.documentId ? -1 : 1;
  return a.ordinal - b.ordinal;
}

import type { AnswerSource, CheckedPassage } from "./answer-engine.ts";
import { selectPassages, verifyQuote, type Passage } from "../../text/passages/select-passages.ts";
import type { PassageSource } from "../../text/passages/sentence-evidence.ts";
import type { Work } from "../../work/work.ts";
import type { PassageFinder, RankedPassage } from "../documents/service.ts";
import type { ChatScope } from "./scope.ts";

export interface Retrieved {
  /** The selected sentences, best first. */
  readonly passages: readonly CheckedPassage[];
  /** The best sentences, whether or not they answer the question. */
  readonly nearest: readonly CheckedPassage[];
  /** The whole passages, best first. */
  readonly sources: readonly AnswerSource[];
  readonly hasDocuments: boolean;
}

/** Questions are spelt as people type; the vectors of a model count too. */
const mode = "hybrid";

/** Sentences that are offered for a question without an answer. */
const nearestPassages = 3;

export interface RetrieveOptions {
  readonly sources: number;
  readonly signal: AbortSignal;
  /** Each selected sentence has one of these terms; default: any sentence. */
  readonly required?: ReadonlySet<string> | undefined;
}

/**
 * The passages of a scope that best answer a question. Each quote and each source is compared with
 * its stored page.
 */
export async function retrieve(
  work: Work,
  finder: PassageFinder,
  scope: ChatScope,
  question: string,
  { sources: wanted, signal, required }: RetrieveOptions,
): Promise<Retrieved> {
  const { ranked, ...known } = await finder.find(work, scope, question, { signal, mode });
  if (ranked.length === 0) {
    return {
      passages: [],
      nearest: [],
      sources: [],
      hasDocuments: await finder.hasDocuments(work, scope),
    };
  }
  const candidates = ranked.map(({ passage, score }) => ({ chunk: sourceOf(passage), score }));
  const selected = selectPassages(question, candidates, { known, required });
  const near =
    selected.length > 0
      ? selected.slice(0, nearestPassages)
      : selectPassages(question, candidates, { known, limit: nearestPassages, isNearest: true });
  const best = ranked.slice(0, wanted);
  const pages = await finder.pageTexts(work, scope.workspaceId, [
    ...[...selected, ...near].map(({ chunk, page }) => ({
      documentId: chunk.found.documentId,
      page,
    })),
    ...best.map(({ passage: { documentId, page } }) => ({ documentId, page })),
  ]);
  return {
    passages: selected.flatMap((each) => checkedPassage(each, pages)),
    nearest: near.flatMap((each) => checkedPassage(each, pages)),
    sources: checkedSources(best, pages),
    hasDocuments: true,
  };
}

function checkedPassage(
  { chunk, page, start, end, quote, score }: Passage<Source>,
  pages: Pages,
): CheckedPassage[] {
  const { documentId, documentNumber, filename, mediaType } = chunk.found;
  if (!isVerbatim(pages, { documentId, page, start, end, text: quote })) return [];
  return [{ documentId, documentNumber, filename, mediaType, page, start, end, quote, score }];
}

/** The best whole passages of a scope, for a model that asks for more. */
export async function findSources(
  work: Work,
  finder: PassageFinder,
  scope: ChatScope,
  question: string,
  { sources, signal }: { readonly sources: number; readonly signal: AbortSignal },
): Promise<AnswerSource[]> {
  const { ranked } = await finder.find(work, scope, question, { signal, mode });
  const best = ranked.slice(0, sources);
  const places = best.map(({ passage: { documentId, page } }) => ({ documentId, page }));
  return checkedSources(best, await finder.pageTexts(work, scope.workspaceId, places));
}

type Pages = Awaited<ReturnType<PassageFinder["pageTexts"]>>;
type SearchedPassage = RankedPassage["passage"];

function checkedSources(ranked: readonly RankedPassage[], pages: Pages): AnswerSource[] {
  return ranked.flatMap(({ passage, score }) => {
    if (!isVerbatim(pages, passage)) return [];
    const { documentId, documentNumber, filename, mediaType, page, start, end, text } = passage;
    return [{ documentId, documentNumber, filename, mediaType, page, start, end, text, score }];
  });
}

function isVerbatim(
  pages: Pages,
  part: Pick<SearchedPassage, "documentId" | "page" | "start" | "end" | "text">,
): boolean {
  const { documentId, page, start, end, text } = part;
  const stored = pages.find((each) => each.documentId === documentId && each.page === page);
  return stored !== undefined && verifyQuote(stored.text, { start, end }, text);
}

interface Source extends PassageSource {
  readonly found: SearchedPassage;
}

function sourceOf(found: SearchedPassage): Source {
  const { documentId, page, start, end, text, filename, title } = found;
  const context = [filename, title].filter((words) => words !== null).join(" ");
  return { found, documentId, page, start, end, text, context };
}

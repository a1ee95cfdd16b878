import type { CheckedPassage } from "./answer-engine.ts";
import {
  selectPassages,
  verifyQuote,
  type PassageSource,
} from "../../text/passages/select-passages.ts";
import type { Database } from "../../database/database.ts";
import {
  findPassages,
  isAnythingIndexed,
  pageTexts,
  type PassageScope,
  type SearchedPassage,
} from "../documents/service.ts";

export interface Retrieved {
  /** Best first. */
  readonly passages: readonly CheckedPassage[];
  readonly hasDocuments: boolean;
}

/**
 * The passages of a scope that best answer a question. Each quote is compared with its stored page.
 */
export async function retrieve(
  database: Database,
  scope: PassageScope,
  question: string,
  signal: AbortSignal,
): Promise<Retrieved> {
  const ranked = await findPassages(database, scope, question, { signal });
  if (ranked.length === 0) {
    return { passages: [], hasDocuments: await isAnythingIndexed(database.read, scope) };
  }
  const sources = ranked.map(({ passage, score }) => ({ chunk: sourceOf(passage), score }));
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
  readonly found: SearchedPassage;
}

function sourceOf(found: SearchedPassage): Source {
  const { documentId, page, start, end, text, filename, title } = found;
  const context = [filename, title].filter((words) => words !== null).join(" ");
  return { found, documentId, page, start, end, text, context };
}

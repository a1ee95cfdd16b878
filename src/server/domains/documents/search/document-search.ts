import type * as z from "zod";
import type {
  documentSearchQuery,
  DocumentSearchAnswer,
  PassageResult,
} from "#contract/documents/search.ts";
import { given } from "#lib/given.ts";
import { SearchTurns } from "../../../search-index/search-turns.ts";
import type { Work } from "../../../work/work.ts";
import { readQuery } from "../../../text/search/asked-query.ts";
import { TermFinder } from "../../../text/search/asked-terms.ts";
import type { RankedPassage } from "./combine-rankings.ts";
import type { PassageFinder } from "./find-passages.ts";
import { matchesIn } from "./rank-passages.ts";
import { documentCondition } from "./search-filter.ts";

export type DocumentSearchRequest = z.output<typeof documentSearchQuery>;

/** Finds passages of a workspace's documents. */
export class DocumentSearches {
  readonly #turns = new SearchTurns();

  constructor(private readonly passages: PassageFinder) {}

  /** Refuses 422 with a pointer for an invalid filter. */
  run(
    work: Work,
    workspaceId: string,
    search: DocumentSearchRequest,
    signal: AbortSignal,
  ): Promise<DocumentSearchAnswer> {
    const condition = documentCondition(search.where);
    const find = async (timeLimitMs: number): Promise<DocumentSearchAnswer> => {
      const languages = await this.passages.languages(work, workspaceId);
      const asked = readQuery(search.query, languages);
      const { ranked, similar, mode, embedding, note } = await this.passages.find(
        work,
        { workspaceId },
        asked.words,
        {
          signal,
          asked,
          timeLimitMs,
          condition,
          mode: search.mode,
          documents: Math.ceil(search.limit / search.perDocument),
        },
      );
      const terms = new TermFinder([...asked.terms, ...similar]);
      const results = spread(ranked, search.perDocument)
        .slice(0, search.limit)
        .map((each) => resultOf(each, terms));
      return { results, mode, ...given({ embedding, note }) };
    };
    return this.#turns.run(find, workspaceId, signal, work.scope.caller);
  }
}

/** Keeps at most so many passages of each document, in their order. */
function spread(ranked: readonly RankedPassage[], perDocument: number): RankedPassage[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ passage: { documentId } }) => {
    const count = (taken.get(documentId) ?? 0) + 1;
    taken.set(documentId, count);
    return count <= perDocument;
  });
}

function resultOf(
  { passage, score, fulltext, vector }: RankedPassage,
  terms: TermFinder,
): PassageResult {
  const { documentId, documentNumber, filename, mediaType, label, page, start, end, text } =
    passage;
  return {
    documentId,
    documentNumber,
    filename,
    mediaType,
    label,
    page,
    span: { start, end },
    text,
    matches: matchesIn(text, terms),
    score,
    scores: { fulltext, vector },
  };
}

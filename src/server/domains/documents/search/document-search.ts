import type * as z from "zod";
import type {
  documentSearchQuery,
  DocumentSearchAnswer,
  PassageResult,
} from "#contract/documents/search.ts";
import { runningCaller } from "../../../kit/data-scope.ts";
import { Permits } from "../../../kit/turns/permits.ts";
import type { Database } from "../../../database/database.ts";
import { rarity } from "../../../text/search/ranking.ts";
import { questionTerms } from "../passage-terms.ts";
import { countPassages, searchPassages, type DocumentCondition } from "../store/passage-search.ts";
import type { PassageScope } from "../store/passages.ts";
import { matchesIn, rankPassages, type RankedPassage } from "./rank-passages.ts";
import { documentCondition } from "./search-filter.ts";

const timeLimitMs = 10_000;
const candidates = 200;

export type DocumentSearchRequest = z.output<typeof documentSearchQuery>;

/** Finds passages of a workspace's documents. */
export class DocumentSearches {
  // A search also ranks its candidates on the thread that answers all requests.
  readonly #permits = new Permits({
    count: 4,
    countPerShare: 2,
    queueLimit: 1_000,
    queueLimitPerShare: 500,
    queueLimitPerCaller: 125,
    waitLimitMs: 4_000,
  });

  constructor(private readonly database: Database) {}

  /** Refuses 422 with a pointer for an invalid filter. */
  run(
    workspaceId: string,
    search: DocumentSearchRequest,
    signal: AbortSignal,
  ): Promise<DocumentSearchAnswer> {
    const condition = documentCondition(search.where);
    const work = async (): Promise<DocumentSearchAnswer> => {
      const { ranked } = await findPassages(this.database, { workspaceId }, search.query, {
        signal,
        condition,
      });
      const terms = new Set(questionTerms(search.query));
      const results = spread(ranked, search.perDocument)
        .slice(0, search.limit)
        .map((each) => resultOf(each, terms));
      return { results, mode: "fulltext" };
    };
    return this.#permits.hold(work, workspaceId, signal, runningCaller());
  }
}

export interface FoundPassages {
  /** Best first. */
  readonly ranked: readonly RankedPassage[];
  /** The rarity of each term of the question in the scope. */
  readonly rarities: ReadonlyMap<string, number>;
}

/** The best passages of a scope for a question. */
export async function findPassages(
  database: Database,
  scope: PassageScope,
  question: string,
  { signal, condition }: { signal: AbortSignal; condition?: DocumentCondition | undefined },
): Promise<FoundPassages> {
  const share = scope.workspaceId;
  const scan = database.scan.with({ signal, timeLimitMs, share });
  const terms = questionTerms(question);
  const found = await searchPassages(scan, scope, terms, candidates, condition);
  if (found.length === 0) return { ranked: [], rarities: new Map() };
  const { all, having } = await countPassages(scan, scope, terms);
  const weighed = terms.map((term, index) => {
    // A word that no passage has may be another form of one.
    return [term, rarity(Math.max(1, having[index] ?? 0), Math.max(all, found.length))] as const;
  });
  return { ranked: rankPassages(found, weighed), rarities: new Map(weighed) };
}

/** At most so many passages of each document, in their order. */
function spread(ranked: readonly RankedPassage[], perDocument: number): RankedPassage[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ passage: { documentId } }) => {
    const count = (taken.get(documentId) ?? 0) + 1;
    taken.set(documentId, count);
    return count <= perDocument;
  });
}

function resultOf({ passage, score }: RankedPassage, terms: ReadonlySet<string>): PassageResult {
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
    scores: { fulltext: score, vector: null },
  };
}

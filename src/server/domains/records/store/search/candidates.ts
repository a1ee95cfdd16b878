import type { Reader } from "../../../../database/database.ts";
import { unlessStopped } from "../../../../database/dialect.ts";
import { byDialect, nothing, statement, type Statement } from "../../../../database/statement.ts";
import type { AskedTerm } from "../../../../text/search/asked-terms.ts";
import type { Condition } from "../../../../database/where/condition.ts";
import type { TermLists } from "../../../../search-index/entries.ts";
import {
  anyMatch,
  countMatches,
  matching,
  weighedMatches,
  weighted,
  type EntryScope,
  type MatchPage,
  type WeightedTerm,
} from "../../../../search-index/hits.ts";
import { compileWhere } from "../../where/compile-where.ts";
import type { TypeSource } from "../read/list-plan.ts";
import { idOrder } from "../record-numbers.ts";
import type { StoredRecord } from "../record-types.ts";
import { recordColumns } from "../records.ts";

/** Types of one workspace whose records are searched. */
export interface SearchScope {
  readonly workspaceId: string;
  readonly typeNumbers: readonly number[];
}

/** Counting stops here: more records make a term common, and how common hardly matters. */
const countLimit = { sqlite: 10_000, postgresql: 2_000 } as const;

export interface TermCount {
  readonly count: number;
  /** More records may have the term. */
  readonly isCapped: boolean;
}

/** The number of records in the scope that have each term, up to a limit. */
export async function countTerms(
  reader: Reader,
  scope: SearchScope,
  terms: readonly Pick<AskedTerm, "indexed">[],
): Promise<TermCount[]> {
  const limit = countLimit[reader.dialect];
  const lists = terms.map(({ indexed }) => [indexed]);
  const counts = await countMatches(reader, entriesOf(scope), lists, limit);
  return counts.map((count) => ({ count, isCapped: count >= limit }));
}

/** Records that have a word and others are counted up to here, to compare words. */
const togetherLimit = 100;

/** The number of records in the scope that have each term and all of the others. */
export async function countTogether(
  reader: Reader,
  scope: SearchScope,
  terms: readonly Pick<AskedTerm, "indexed">[],
  others: readonly Pick<AskedTerm, "indexed">[],
): Promise<number[]> {
  const rest = others.map(({ indexed }) => indexed);
  const lists = terms.map(({ indexed }) => [indexed, ...rest]);
  return countMatches(reader, entriesOf(scope), lists, togetherLimit);
}

export interface CandidateRecord extends StoredRecord {
  readonly type_number: number;
}

export interface CandidateQuery {
  readonly scope: SearchScope;
  /** Each is looked up alone, up to a limit, the newest records first, before a text is read. */
  readonly terms: readonly WeightedTerm[];
  /** Records with all of these come first; where all are common, only new records are searched. */
  readonly together: { readonly terms: TermLists; readonly areCommon: boolean };
  readonly limit: number;
  /** Only for a scope of this one type. */
  readonly filter?: { readonly type: TypeSource; readonly condition: Condition } | undefined;
}

/** Index hits of all terms, and the bounds for one term, before a filter. */
const hits = {
  plain: { all: 2_000, least: 250, most: 1_000 },
  filtered: { all: 3_000, least: 300, most: 3_000 },
} as const;
/** The filter tests all records of a rarer term. */
export const minimumHits = hits.filtered.least;
/** The newest records among which common terms are searched together. */
const commonWindow = { sqlite: 50_000, postgresql: 5_000 } as const;

function hitsOfTerm(terms: number, isFiltered: boolean): number {
  const { all, least, most } = isFiltered ? hits.filtered : hits.plain;
  return Math.min(most, Math.max(least, Math.floor(all / terms)));
}

/** Words of a record, a rough estimate: texts are weighed afterwards. */
const lengthShare = { usualLength: 24, share: 0.75 };

/**
 * The records with the highest weight of terms, longer ones slightly lower, newer ones before equal
 * older ones. A common term contributes its newest records only, so no search reads a whole index.
 */
export async function searchCandidates(
  reader: Reader,
  { scope, terms, together, filter, limit }: CandidateQuery,
): Promise<CandidateRecord[]> {
  if (terms.length === 0 || scope.typeNumbers.length === 0) return [];
  const entries = entriesOf(scope);
  const page: MatchPage = {
    limit: hitsOfTerm(terms.length, filter !== undefined),
    isOrdered: true,
  };
  const lists = [anyMatch(entries, terms, page)];
  if (together.terms.length > 1) {
    const weight = terms.reduce((all, one) => all + one.weight, 0);
    const window = together.areCommon ? commonWindow[reader.dialect] : undefined;
    lists.push(weighted(matching(entries, together.terms, { ...page, window }), weight));
  }
  const ranked = weighedMatches(lists, lengthShare);
  const best = statement`order by worth desc, place desc limit ${limit}`;
  // A search without a filter reads only the best records themselves.
  const candidates = filter === undefined ? statement`${ranked} ${best}` : ranked;
  const passing =
    filter === undefined
      ? nothing
      : statement`where ${unlessStopped} and ${compileWhere(filter.condition, filter.type)}`;
  return reader.all<CandidateRecord>(statement`select resources.type_number, ${recordColumns}
    from (${candidates}) as c ${recordOfCandidate(scope.workspaceId)}
    ${passing}
    ${best}`);
}

function entriesOf({ workspaceId, typeNumbers }: SearchScope): EntryScope {
  return { kind: "record", workspaceId, sources: typeNumbers };
}

/** Both planners must start with the candidates; they would read all records for the filter. */
function recordOfCandidate(workspaceId: string): Statement {
  const isIt = statement`resources.workspace_id = ${workspaceId}
    and resources.type_number = c.source and ${idOrder} = c.place`;
  return byDialect({
    sqlite: statement`cross join resources not indexed on ${isIt}`,
    postgresql: statement`cross join lateral (select * from resources where ${isIt} offset 0)
      as resources`,
  });
}

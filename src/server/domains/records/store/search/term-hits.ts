import type { Reader } from "../../../../database/database.ts";
import { lexeme, unlessStopped } from "../../../../database/dialect.ts";
import {
  byDialect,
  join,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../../../database/statement.ts";
import type { StoredRecord } from "../record-types.ts";
import { recordColumns } from "../records.ts";
import type { TypeSource } from "../read/list-plan.ts";
import { idOrder } from "../record-numbers.ts";
import { indexTerm } from "./entries.ts";
import { compileWhere } from "../../where/compile-where.ts";
import type { Condition } from "../../../../database/where/condition.ts";

/** Types of one workspace whose records are searched. */
export interface SearchScope {
  readonly workspaceId: string;
  readonly typeNumbers: readonly number[];
}

/** A term and its weight before the texts are read. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
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
  terms: readonly string[],
): Promise<TermCount[]> {
  if (terms.length === 0) return [];
  const limit = countLimit[reader.dialect];
  const counts = terms.map(
    (term, at) => statement`select ${raw(String(at))} as place, count(*) as count
      from (${matching(scope, [term], { limit, isOrdered: false })}) as matched${raw(String(at))}`,
  );
  const rows = await reader.all<{ place: number; count: number }>(join(counts, " union all "));
  const byPlace = new Map(rows.map(({ place, count }) => [place, Number(count)]));
  return terms.map((_, at) => {
    const count = byPlace.get(at) ?? 0;
    return { count, isCapped: count >= limit };
  });
}

export interface CandidateRecord extends StoredRecord {
  readonly type_number: number;
}

export interface CandidateQuery {
  readonly scope: SearchScope;
  /** Each is looked up alone, up to a limit, the newest records first. */
  readonly terms: readonly WeightedTerm[];
  /** Records with all of these come first; where all are common, only new records are searched. */
  readonly together: { readonly terms: readonly string[]; readonly areCommon: boolean };
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

/** Average words of a record, a rough estimate: texts are weighed afterwards. */
const usualLength = raw("24.0");

/**
 * The records with the highest weight of terms, longer ones slightly lower, newer ones before equal
 * older ones. A common term contributes its newest records only, so no search reads a whole index.
 */
export async function searchCandidates(
  reader: Reader,
  { scope, terms, together, filter, limit }: CandidateQuery,
): Promise<CandidateRecord[]> {
  if (terms.length === 0 || scope.typeNumbers.length === 0) return [];
  const page: MatchPage = {
    limit: hitsOfTerm(terms.length, filter !== undefined),
    isOrdered: true,
  };
  const lists = terms.map(({ term, weight }) => weighted(matching(scope, [term], page), weight));
  if (together.terms.length > 1) {
    const sum = terms.reduce((all, { weight }) => all + weight, 0);
    const window = together.areCommon ? commonWindow[reader.dialect] : undefined;
    lists.push(weighted(matching(scope, together.terms, { ...page, window }), sum));
  }
  const found = join(lists, " union all ");
  const ranked = byDialect({
    sqlite: statement`select s.type_number, s.record_number as place,
        h.weight / (1.3 + 0.9 * s.length / ${usualLength}) as worth
      from (select seq, sum(weight) as weight from (${found}) group by seq) as h
      cross join resource_search s on s.seq = h.seq`,
    postgresql: statement`select type_number, resource_id as place,
        sum(weight) / (1.3 + 0.9 * length / ${usualLength}) as worth
      from (${found}) as h group by type_number, resource_id, length`,
  });
  const best = statement`order by worth desc, place desc limit ${limit}`;
  // Without a filter, only the best records themselves are read.
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

/** Both planners must start with the candidates; they would read all records for the filter. */
function recordOfCandidate(workspaceId: string): Statement {
  const isIt = statement`resources.workspace_id = ${workspaceId}
    and resources.type_number = c.type_number and ${idOrder} = c.place`;
  return byDialect({
    sqlite: statement`cross join resources not indexed on ${isIt}`,
    postgresql: statement`cross join lateral (select * from resources where ${isIt} offset 0)
      as resources`,
  });
}

interface MatchPage {
  readonly limit: number;
  /** The newest first; otherwise in the order of the index. */
  readonly isOrdered: boolean;
  /** Only among this many of the newest records. */
  readonly window?: number | undefined;
}

/** Entries of the scope's records that have all of the terms. */
function matching(
  { workspaceId, typeNumbers }: SearchScope,
  terms: readonly string[],
  { limit, isOrdered, window }: MatchPage,
): Statement {
  const queryText = (quote: (term: string) => string, or: string, and: string): string =>
    terms
      .map((term) => typeNumbers.map((number) => quote(indexTerm(number, term))).join(or))
      .map((alternatives) => `(${alternatives})`)
      .join(and);
  return byDialect({
    sqlite: statement`select rowid as seq from resource_terms
      where resource_terms match ${queryText(quoted, " OR ", " AND ")}
        ${
          window === undefined
            ? nothing
            : statement`and rowid > (select max(seq) from resource_search) - ${window}`
        }
      ${isOrdered ? raw("order by rowid desc") : nothing} limit ${limit}`,
    // The subquery limits the rows: PostgreSQL cannot estimate how many match.
    postgresql: statement`select type_number, resource_id, length from ${
      window === undefined ? raw("searched_records") : newest(workspaceId, window)
    }
      where workspace_id = ${workspaceId}
        and terms @@ ${queryText(lexeme, " | ", " & ")}::text::tsquery
      ${isOrdered ? raw("order by resource_id desc") : nothing} limit ${limit}`,
  });
}

function newest(workspaceId: string, window: number): Statement {
  return statement`(select * from searched_records where workspace_id = ${workspaceId}
    order by resource_id desc limit ${window}) as newest`;
}

function weighted(matched: Statement, weight: number): Statement {
  return statement`select m.*, cast(${weight} as double precision) as weight
    from (${matched}) as m`;
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

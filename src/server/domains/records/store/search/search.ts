import type { Reader } from "../../../../database/database.ts";
import { lexeme, stillWanted } from "../../../../database/dialect.ts";
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
import { compileWhere } from "../../where/compile.ts";
import type { Condition } from "../../../../database/where/condition.ts";

/** Records of one workspace that are searched. */
export interface SearchScope {
  readonly workspaceId: string;
  readonly typeNumbers: readonly number[];
}

/** A term with what a record is worth that has it, until its text is looked at. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** How far counting goes: what is beyond is common, and how common hardly matters. */
const countedAtMost = { sqlite: 10_000, postgresql: 2_000 } as const;

export interface TermCount {
  readonly count: number;
  /** There are more than were counted. */
  readonly isCapped: boolean;
}

/** How many records of the scope hold each term, counted up to a limit. */
export async function countTerms(
  reader: Reader,
  scope: SearchScope,
  terms: readonly string[],
): Promise<TermCount[]> {
  if (terms.length === 0) return [];
  const limit = countedAtMost[reader.dialect];
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

/** A record that holds some of the terms. */
export interface FoundRecord extends StoredRecord {
  readonly type_number: number;
}

export interface CandidateQuery {
  readonly scope: SearchScope;
  /** Looked up one by one, each up to a limit, the newest records first. */
  readonly terms: readonly WeightedTerm[];
  /** Records with all of these come before others; only new ones are sought where all are common. */
  readonly together: { readonly terms: readonly string[]; readonly areCommon: boolean };
  readonly limit: number;
  /** Only for a scope of this one type. */
  readonly filter?: { readonly type: TypeSource; readonly condition: Condition } | undefined;
}

/** Records of all terms that are looked at, and at least and at most of one; before a filter. */
const hits = {
  plain: { all: 2_000, least: 250, most: 1_000 },
  filtered: { all: 3_000, least: 300, most: 3_000 },
} as const;
/** Of a term that fewer records have, all that pass a filter are looked at. */
export const leastHits = hits.filtered.least;
/** The newest records among which common terms are sought together. */
const commonWindow = { sqlite: 50_000, postgresql: 5_000 } as const;

function hitsOfTerm(terms: number, isFiltered: boolean): number {
  const { all, least, most } = isFiltered ? hits.filtered : hits.plain;
  return Math.min(most, Math.max(least, Math.floor(all / terms)));
}

/** Words that a record has in the mean; only roughly, as texts are weighed afterwards. */
const usualLength = raw("24.0");

/**
 * The records that are worth most by the terms that they hold, longer ones somewhat less; of equal
 * ones the newest. A common term only stands for its newest records, so that no search reads an
 * index from end to end.
 */
export async function searchCandidates(
  reader: Reader,
  { scope, terms, together, filter, limit }: CandidateQuery,
): Promise<FoundRecord[]> {
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
  // Without a filter the records themselves are only read when it is known which.
  const candidates = filter === undefined ? statement`${ranked} ${best}` : ranked;
  const passing =
    filter === undefined
      ? nothing
      : statement`where ${stillWanted} and ${compileWhere(filter.condition, filter.type)}`;
  return reader.all<FoundRecord>(statement`select resources.type_number, ${recordColumns}
    from (${candidates}) as c ${recordOfCandidate(scope.workspaceId)}
    ${passing}
    ${best}`);
}

/**
 * Both planners are told to begin with the candidates: whatever they know of the filter, or not, they
 * would rather go through all records for it.
 */
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
  /** The newest first; else whichever the index gives. */
  readonly isOrdered: boolean;
  /** Only among the newest records, this many. */
  readonly window?: number | undefined;
}

/** Entries of the scope's records that hold all of the terms. */
function matching(
  { workspaceId, typeNumbers }: SearchScope,
  terms: readonly string[],
  { limit, isOrdered, window }: MatchPage,
): Statement {
  const asked = (quote: (term: string) => string, or: string, and: string): string =>
    terms
      .map((term) => typeNumbers.map((number) => quote(indexTerm(number, term))).join(or))
      .map((alternatives) => `(${alternatives})`)
      .join(and);
  return byDialect({
    sqlite: statement`select rowid as seq from resource_terms
      where resource_terms match ${asked(quoted, " OR ", " AND ")}
        ${
          window === undefined
            ? nothing
            : statement`and rowid > (select max(seq) from resource_search) - ${window}`
        }
      ${isOrdered ? raw("order by rowid desc") : nothing} limit ${limit}`,
    // The newest are taken first: for all that PostgreSQL knows they could be any number.
    postgresql: statement`select type_number, resource_id, length from ${
      window === undefined ? raw("resource_search") : newest(workspaceId, window)
    }
      where workspace_id = ${workspaceId}
        and terms @@ ${asked(lexeme, " | ", " & ")}::text::tsquery
      ${isOrdered ? raw("order by resource_id desc") : nothing} limit ${limit}`,
  });
}

function newest(workspaceId: string, window: number): Statement {
  return statement`(select * from resource_search where workspace_id = ${workspaceId}
    order by resource_id desc limit ${window}) as newest`;
}

function weighted(matched: Statement, weight: number): Statement {
  return statement`select m.*, cast(${weight} as double precision) as weight
    from (${matched}) as m`;
}

/** A term as FTS5 reads it. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

import type { Reader } from "../database/database.ts";
import { byDialect, join, nothing, raw, statement, type Statement } from "../database/statement.ts";
import type { IndexedTerm } from "../text/search/asked-terms.ts";
import { indexQuery, markTerm, type TermLists } from "./entries.ts";
import { entryKinds, type EntryKind } from "./sources.ts";

/** Sources of one kind and workspace. */
export interface EntryScope {
  readonly kind: EntryKind;
  readonly workspaceId: string;
  readonly sources: readonly number[];
  /** An entry has one mark of each list. */
  readonly marks?: readonly (readonly string[])[];
}

export interface MatchPage {
  readonly limit: number;
  /** The newest first; otherwise in the order of the index. */
  readonly isOrdered: boolean;
  /** Number of the newest entries that are searched; all of them if absent. */
  readonly window?: number | undefined;
  /** A condition on the entry's place, which is {@link hitPlace}. */
  readonly condition?: Statement | undefined;
}

/** The place of an entry in a condition. */
export const hitPlace: Statement = byDialect({
  sqlite: raw("(select place from search_entries where seq = search_terms.rowid)"),
  postgresql: raw("hits.place"),
});

/** Selects entries of the scope with a term of each list; without lists or marks all entries. */
export function matching(
  scope: EntryScope,
  terms: TermLists,
  { limit, isOrdered, window, condition }: MatchPage,
): Statement {
  const { workspaceId, kind, sources, marks = [] } = scope;
  const lists = [...marks.map((list) => list.map(markTerm)), ...terms];
  if (lists.length === 0) return allEntries(scope, limit);
  const { fts5, tsquery } = indexQuery(sources, lists);
  const passes = condition === undefined ? nothing : statement`and ${condition}`;
  return byDialect({
    sqlite: statement`select rowid as seq from search_terms
      where search_terms match ${fts5}
        ${window === undefined ? nothing : statement`and rowid > ${newestSeq(sources)} - ${window}`}
        ${passes}
      ${isOrdered ? raw("order by rowid desc") : nothing} limit ${limit}`,
    // The subquery limits the rows: PostgreSQL cannot estimate how many match.
    postgresql: statement`select source, place, length from ${
      window === undefined ? raw("searched_entries as hits") : newest(scope, window)
    }
      where workspace_id = ${workspaceId} and kind = ${entryKinds[kind]}
        and terms @@ ${tsquery}::text::tsquery ${passes}
      ${isOrdered ? raw("order by place desc") : nothing} limit ${limit}`,
  });
}

function allEntries({ workspaceId, sources }: EntryScope, limit: number): Statement {
  return byDialect({
    sqlite: statement`select seq from search_entries where source in (${join(sources)})
      limit ${limit}`,
    postgresql: statement`select source, place, length from searched_entries
      where workspace_id = ${workspaceId} and source in (${join(sources)}) limit ${limit}`,
  });
}

/** SQLite: the sequence number of the last entry of the sources' newest texts. */
function newestSeq(sources: readonly number[]): Statement {
  return statement`(select max((select seq from search_entries where source = value
      order by place desc limit 1)) from json_each(${JSON.stringify(sources)}))`;
}

function newest({ workspaceId, kind }: EntryScope, window: number): Statement {
  return statement`(select * from searched_entries
    where workspace_id = ${workspaceId} and kind = ${entryKinds[kind]}
    order by place desc limit ${window}) as hits`;
}

/** The number of entries of each query, up to a limit. */
export async function countMatches(
  reader: Reader,
  scope: EntryScope,
  queries: readonly TermLists[],
  limit: number,
): Promise<number[]> {
  if (queries.length === 0) return [];
  const page = { limit, isOrdered: false };
  const counts = queries.map(
    (terms, at) => statement`select ${raw(String(at))} as place, count(*) as count
      from (${matching(scope, terms, page)}) as matched${raw(String(at))}`,
  );
  // One statement, because each would wait for its turn.
  const rows = await reader.all<{ place: number; count: number }>(join(counts, " union all "));
  const byPlace = new Map(rows.map(({ place, count }) => [Number(place), Number(count)]));
  return queries.map((_, at) => byPlace.get(at) ?? 0);
}

/** A word of a query with its weight; any of its terms in the index counts. */
export interface WeightedTerm {
  readonly indexed: readonly IndexedTerm[];
  readonly weight: number;
}

/** Entries from {@link matching}, and the weight of each. */
export function weighted(matches: Statement, weight: number): Statement {
  return statement`select m.*, cast(${weight} as double precision) as weight
    from (${matches}) as m`;
}

/**
 * Entries that have a term with its weight, once for each term. `limit` is that of one term;
 * PostgreSQL takes all of a window.
 */
export function anyMatch(
  scope: EntryScope,
  terms: readonly WeightedTerm[],
  page: MatchPage,
): Statement {
  const each = join(
    terms.map(({ indexed, weight }) => weighted(matching(scope, [indexed], page), weight)),
    " union all ",
  );
  const { window } = page;
  if (window === undefined) return each;
  // One read of the newest entries, whatever the number of terms.
  const asked = terms.map(({ indexed, weight }) => {
    const { tsquery } = indexQuery(scope.sources, [indexed]);
    return statement`(${tsquery}::text::tsquery, ${weight}::float8)`;
  });
  return byDialect({
    sqlite: each,
    postgresql: statement`select source, place, length, weight from ${newest(scope, window)}
      join (values ${join(asked)}) as asked(query, weight) on terms @@ query`,
  });
}

/** The usual length of a text, and how much a longer one counts less (BM25's `b`). */
export interface LengthShare {
  readonly usualLength: number;
  readonly share: number;
}

/** BM25's saturation of repeated words; an entry only shows whether it has a word. */
const saturation = 1.2;

/**
 * Selects `source`, `place` and `worth` of the entries in any of the weighted lists. The worth is
 * BM25's, as if each text had each of its words once.
 */
export function weighedMatches(
  lists: readonly Statement[],
  { usualLength, share }: LengthShare,
): Statement {
  const found = join(lists, " union all ");
  const double = (value: number): Statement => raw(`cast(${value} as double precision)`);
  const least = double(1 + saturation * (1 - share));
  const perWord = double((saturation * share) / usualLength);
  return byDialect({
    sqlite: statement`select s.source, s.place, h.weight / (${least} + ${perWord} * s.length) as worth
      from (select seq, sum(weight) as weight from (${found}) group by seq) as h
      cross join search_entries s on s.seq = h.seq`,
    postgresql: statement`select source, place,
        sum(weight) / (${least} + ${perWord} * length) as worth
      from (${found}) as h group by source, place, length`,
  });
}

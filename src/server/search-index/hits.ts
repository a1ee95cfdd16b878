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
  return (await countHits(reader, scope, queries, { limit })).map(({ count }) => count);
}

/** The number of entries of a query, and on PostgreSQL what was read of them. */
export interface CountedHits {
  readonly count: number;
  /** Its entries; undefined if they are too many, or were not asked for. */
  readonly hits?: PackedHits | undefined;
}

/** `place length` of entries with a term, separated by commas, in the order of the index. */
export type PackedHits = string;

export interface CountOptions {
  /** Counting a query stops at so many entries. */
  readonly limit: number;
  /** PostgreSQL returns the entries of a query that has fewer. */
  readonly hitsBelow?: number | undefined;
}

/** Counts the entries of each query, in one statement: each would wait for its turn. */
export async function countHits(
  reader: Reader,
  scope: EntryScope,
  queries: readonly TermLists[],
  options: CountOptions,
): Promise<CountedHits[]> {
  if (queries.length === 0) return [];
  if (reader.dialect === "postgresql") return countEach(reader, scope, queries, options);
  const page = { limit: options.limit, isOrdered: false };
  const counts = queries.map(
    (terms, at) => statement`select ${raw(String(at))} as place, count(*) as count
      from (${matching(scope, terms, page)}) as matched${raw(String(at))}`,
  );
  const rows = await reader.all<{ place: number; count: number }>(join(counts, " union all "));
  const byPlace = new Map(rows.map(({ place, count }) => [Number(place), Number(count)]));
  return queries.map((_, at) => ({ count: byPlace.get(at) ?? 0 }));
}

/**
 * PostgreSQL reads each entry that it counts. The statement has the same text for any queries, so
 * that its plan costs as much for many as for one.
 */
async function countEach(
  reader: Reader,
  scope: EntryScope,
  queries: readonly TermLists[],
  { limit, hitsBelow }: CountOptions,
): Promise<CountedHits[]> {
  const { workspaceId, kind, sources, marks = [] } = scope;
  const marked = marks.map((list) => list.map(markTerm));
  const asked = queries.flatMap((terms, number) => {
    const lists = [...marked, ...terms];
    if (lists.length === 0) return [];
    const below = terms.length === 0 ? undefined : hitsBelow;
    return [{ number, query: indexQuery(sources, lists).tsquery, below }];
  });
  const hits =
    hitsBelow === undefined
      ? raw("null")
      : raw("case when count(*) < asked.below then string_agg(place || ' ' || length, ',') end");
  // PostgreSQL does not know how many entries a query has: it would read all those of a small
  // workspace along its index, which an expression cannot use.
  const each = statement`select asked.number, found.count, found.hits
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb)
      as asked(number bigint, query text, below bigint)
    cross join lateral (select count(*) as count, ${hits} as hits
      from (select place, length from searched_entries
        where workspace_id || '' = ${workspaceId} and kind = ${entryKinds[kind]}
          and terms @@ asked.query::tsquery limit ${limit}) as matched) as found`;
  const all = statement`select -1 as number, count(*) as count, null as hits
    from (${allEntries(scope, limit)}) as entries`;
  const rows = await reader.all<{ number: number; count: number; hits: PackedHits | null }>(
    asked.length < queries.length ? statement`${each} union all ${all}` : each,
  );
  const found = new Map(
    rows.map(({ number, count, hits: packed }) => {
      return [Number(number), { count: Number(count), hits: packed ?? undefined }];
    }),
  );
  return queries.map((_, number) => found.get(number) ?? found.get(-1) ?? { count: 0 });
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
 * PostgreSQL takes all of a window, each entry once with the weight of all its terms.
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
  // One read of the newest entries, whatever the number of terms. Terms of none complete a few
  // numbers of them, so that the server knows the statement; PostgreSQL leaves them out.
  const size = 2 ** Math.ceil(Math.log2(Math.max(leastSum, terms.length)));
  const weights = Array.from({ length: size }, (_, at) => {
    const { indexed, weight } = terms[at] ?? { indexed: undefined, weight: 0 };
    const query = indexed && indexQuery(scope.sources, [indexed]).tsquery;
    return statement`case when terms @@ ${query ?? null}::text::tsquery
      then ${weight}::float8 else 0 end`;
  });
  return byDialect({
    sqlite: each,
    postgresql: statement`select * from (select source, place, length,
        ${join(weights, " + ")} as weight from ${newest(scope, window)} offset 0) as summed
      where weight > 0`,
  });
}

/** The sums of the terms of a window have so many at least, then twice as many and so on. */
const leastSum = 4;

/** The usual length of a text, and how much a longer one counts less (BM25's `b`). */
export interface LengthShare {
  readonly usualLength: number;
  readonly share: number;
}

/** BM25's saturation of repeated words; an entry only shows whether it has a word. */
const saturation = 1.2;

/** The worth of an entry is its weight, divided by `least + perWord * length`. */
export function worthFactors({ usualLength, share }: LengthShare): {
  readonly least: number;
  readonly perWord: number;
} {
  return { least: 1 + saturation * (1 - share), perWord: (saturation * share) / usualLength };
}

/**
 * Selects `source`, `place` and `worth` of the entries in any of the weighted lists. The worth is
 * BM25's, as if each text had each of its words once.
 */
export function weighedMatches(lists: readonly Statement[], share: LengthShare): Statement {
  return byDialect({
    sqlite: weighedOnce(
      statement`select seq, sum(weight) as weight from (${join(lists, " union all ")}) group by seq`,
      share,
    ),
    postgresql: weighedOnce(
      statement`select source, place, length, sum(weight) as weight
        from (${join(lists, " union all ")}) as h group by source, place, length`,
      share,
    ),
  });
}

/** Does the same as {@link weighedMatches} for a list that has each entry once. */
export function weighedOnce(list: Statement, share: LengthShare): Statement {
  const double = (value: number): Statement => raw(`cast(${value} as double precision)`);
  const { least, perWord } = worthFactors(share);
  const divisor = statement`(${double(least)} + ${double(perWord)} * length)`;
  return byDialect({
    sqlite: statement`select s.source, s.place, h.weight / ${divisor} as worth
      from (${list}) as h cross join search_entries s on s.seq = h.seq`,
    postgresql: statement`select source, place, weight / ${divisor} as worth
      from (${list}) as h`,
  });
}

import type { Reader } from "../../../database/database.ts";
import { jsonFieldText, lexeme } from "../../../database/dialect.ts";
import {
  byDialect,
  join,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../../database/statement.ts";
import {
  fts5Query,
  inScope,
  isWholeWorkspace,
  tsqueryText,
  type FoundPassage,
  type PassageScope,
} from "./passages.ts";

/** A passage with the class of its document. */
export interface SearchedPassage extends FoundPassage {
  readonly label: string | null;
}

/** A condition on the columns of `documents`. */
export type DocumentCondition = Statement<boolean>;

/** Counting stops here: a more frequent word distinguishes nothing. */
const countAtMost = 5_000;

/** Passages that the engine ranks at most, so that no search reads a large part of the index. */
const rankedAtMost = countAtMost;
/** The share of a search's passages that only frequent terms find, next to other terms. */
const frequentShare = 0.4;
/** Passages of one frequent term that are compared with those of the others. */
const hitsOfFrequent = 500;
/** The newest passages of a workspace, in which PostgreSQL looks for frequent terms. */
const sampled = 3_000;

/** Terms by which the engine ranks passages, and terms of so many passages that it does not. */
export interface SearchedTerms {
  readonly ranked: readonly string[];
  readonly frequent: readonly string[];
}

/** The rarest terms as ranked ones, as long as few enough passages have them. */
export function searchedTerms(terms: readonly string[], counts: PassageCounts): SearchedTerms {
  const counted = terms
    .map((term, index) => ({ term, count: counts.having[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.count - other.count);
  let sum = 0;
  const ranked = counted.filter(({ count }) => (sum += count) < rankedAtMost);
  return {
    ranked: ranked.map(({ term }) => term),
    frequent: counted.slice(ranked.length).map(({ term }) => term),
  };
}

/**
 * Passages of indexed documents with any of the terms, best first by BM25 (SQLite) or `ts_rank`
 * (PostgreSQL) of the ranked ones. Above `limit` matches the engines may choose different ones, so
 * rank the result.
 */
export async function searchPassages(
  reader: Reader,
  scope: PassageScope,
  { ranked, frequent }: SearchedTerms,
  limit: number,
  condition?: DocumentCondition,
): Promise<SearchedPassage[]> {
  if (scope.documentIds?.length === 0) return [];
  const shared =
    frequent.length === 0 ? 0 : ranked.length === 0 ? limit : Math.ceil(limit * frequentShare);
  const ofFrequent = { limit: Math.ceil(shared / 2), condition };
  const lists: Statement[] = [];
  if (ranked.length > 0) lists.push(rankedMatches(scope, ranked, limit - shared, condition));
  if (frequent.length > 0) {
    lists.push(matchesOfAll(scope, [...ranked, ...frequent], ofFrequent));
    lists.push(matchesOfMost(scope, frequent, ofFrequent));
  }
  if (lists.length === 0) return [];
  const found = join(
    lists.map((list) => statement`select * from (${list}) as list`),
    " union all ",
  );
  return reader.all<SearchedPassage>(statement`select ${passageColumns}
    from ${byDialect({
      // `cross join` keeps the order: otherwise SQLite reads all passages of the workspace.
      sqlite: statement`(select seq, max(score) as score from (${found}) group by seq) m
        cross join document_chunks c on c.seq = m.seq cross join documents d`,
      postgresql: statement`(select document_id, ordinal, max(score) as score
          from (${found}) as found group by document_id, ordinal) m
        join document_chunks c on c.workspace_id = ${scope.workspaceId}
          and c.document_id = m.document_id and c.ordinal = m.ordinal join documents d`,
    })} on d.workspace_id = c.workspace_id and d.id = c.document_id
    where d.workspace_id = ${scope.workspaceId} and ${isSearched}
    order by m.score desc, c.document_id, c.ordinal`);
}

const isSearched = raw("d.index_status = 'indexed' and d.status <> 'deleting'");

const passageColumns = statement`c.document_id as "documentId", d.number as "documentNumber",
  d.filename, d.media_type as "mediaType", ${jsonFieldText("d.properties", ["title"])} as title,
  ${jsonFieldText("d.classification", ["label"])} as label, c.ordinal,
  c.page, c.span_start as "start", c.span_end as "end", c.text, c.headings`;

export interface PassagePlace {
  readonly documentId: string;
  readonly ordinal: number;
}

/** The passages at these places, of documents that are searched, in no order. */
export async function passagesAt(
  reader: Reader,
  workspaceId: string,
  places: readonly PassagePlace[],
): Promise<SearchedPassage[]> {
  if (places.length === 0) return [];
  const list = JSON.stringify(places.map(({ documentId, ordinal }) => ({ documentId, ordinal })));
  const given = byDialect({
    sqlite: statement`(select value ->> 'documentId' as document_id, value ->> 'ordinal' as ordinal
      from json_each(${list})) as given cross join document_chunks c`,
    postgresql: statement`jsonb_to_recordset(${list}::text::jsonb)
      as given("documentId" text, ordinal bigint) join document_chunks c`,
  });
  const documentId = byDialect({
    sqlite: raw("given.document_id"),
    postgresql: raw(`given."documentId"`),
  });
  return reader.all<SearchedPassage>(statement`select ${passageColumns} from ${given}
      on c.workspace_id = ${workspaceId} and c.document_id = ${documentId}
        and c.ordinal = given.ordinal
    join documents d on d.workspace_id = c.workspace_id and d.id = c.document_id
    where d.workspace_id = ${workspaceId} and ${isSearched}`);
}

/** The documents of a scope, up to 100,000; undefined when it is the whole workspace. */
export async function documentsIn(
  reader: Reader,
  scope: PassageScope,
  condition: DocumentCondition | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const { workspaceId, documentIds, contextIds = [] } = scope;
  if (condition === undefined && contextIds.length === 0) {
    return documentIds === undefined ? undefined : new Set(documentIds);
  }
  const rows = await reader.all<{ id: string }>(statement`select id from documents
    where workspace_id = ${workspaceId} and index_status = 'indexed' and status <> 'deleting'
      ${inScope(scope)} ${condition === undefined ? nothing : statement`and ${condition}`}
    limit ${documentsAtMost}`);
  return new Set(rows.map(({ id }) => id));
}

const documentsAtMost = 100_000;

/** The best matches without their texts. */
function rankedMatches(
  scope: PassageScope,
  words: readonly string[],
  limit: number,
  condition: DocumentCondition | undefined,
): Statement {
  return byDialect({
    sqlite: statement`select rowid as seq, -bm25(document_chunk_terms, 0.0, 1.0) as score
      from document_chunk_terms
      where document_chunk_terms match ${fts5Query(scope, words)}
        ${passes(scope, documentOfTerms, condition)}
      order by bm25(document_chunk_terms, 0.0, 1.0) limit ${limit}`,
    postgresql: statement`select document_id, ordinal,
        ts_rank(terms, ${words.map(lexeme).join(" | ")}::text::tsquery, 1)::float8 as score
      from searched_passages
      where workspace_id = ${scope.workspaceId} and terms @@ ${tsqueryText(scope, words)}::text::tsquery
        ${passes(scope, raw("searched_passages.document_id"), condition)}
      order by score desc, document_id, ordinal limit ${limit}`,
  });
}

const documentOfTerms = raw(
  "(select document_id from document_chunks where seq = document_chunk_terms.rowid)",
);

interface Hits {
  readonly limit: number;
  readonly condition: DocumentCondition | undefined;
}

/** Some passages with all of the words, without an order: SQLite takes the newest ones. */
function matchesOfAll(
  scope: PassageScope,
  words: readonly string[],
  { limit, condition }: Hits,
): Statement {
  return byDialect({
    sqlite: statement`select rowid as seq, 0.0 as score from document_chunk_terms
      where document_chunk_terms match ${fts5Query(scope, words, "AND")}
        ${passes(scope, documentOfTerms, condition)}
      order by rowid desc limit ${limit}`,
    postgresql: statement`select document_id, ordinal, 0::float8 as score from searched_passages
      where workspace_id = ${scope.workspaceId}
        and terms @@ ${tsqueryText(scope, words, "&")}::text::tsquery
        ${passes(scope, raw("searched_passages.document_id"), condition)}
      limit ${limit}`,
  });
}

/** Those of some passages of each word that have most of the words. */
function matchesOfMost(scope: PassageScope, words: readonly string[], hits: Hits): Statement {
  const each = hitsOfEach(scope, words, hits);
  if (!isWholeWorkspace(scope) || hits.condition !== undefined) return each;
  return byDialect({ sqlite: each, postgresql: newestWithMost(scope, words, hits.limit) });
}

/**
 * The newest passages of a workspace that have most of the words: PostgreSQL's index finds all
 * passages of a frequent word before it returns the first.
 */
function newestWithMost(
  { workspaceId }: PassageScope,
  words: readonly string[],
  limit: number,
): Statement {
  const query = words.map(lexeme).join(" | ");
  return statement`select document_id, ordinal, 0::float8 as score
    from (select document_id, ordinal, terms from searched_passages
      where workspace_id = ${workspaceId}
      order by document_id desc, ordinal desc limit ${sampled}) as newest
    where terms @@ ${query}::text::tsquery
    order by ts_rank(terms, ${query}::text::tsquery, 1) desc limit ${limit}`;
}

function hitsOfEach(
  scope: PassageScope,
  words: readonly string[],
  { limit, condition }: Hits,
): Statement {
  const each = words.map((word) => {
    const hits = matchesOfAll(scope, [word], { limit: hitsOfFrequent, condition });
    return statement`select * from (${hits}) as hits`;
  });
  const key = byDialect({ sqlite: raw("seq"), postgresql: raw("document_id, ordinal") });
  return statement`select ${key}, max(score) as score from (${join(each, " union all ")}) as each
    group by ${key} order by count(*) desc limit ${limit}`;
}

function passes(
  { workspaceId }: PassageScope,
  documentId: Statement,
  condition: DocumentCondition | undefined,
): Statement {
  if (condition === undefined) return nothing;
  return statement`and exists (select 1 from documents
    where documents.workspace_id = ${workspaceId} and documents.id = ${documentId}
      and ${condition})`;
}

export interface PassageCounts {
  readonly all: number;
  /** For each term. */
  readonly having: readonly number[];
}

/** The number of passages of a scope with each term, or of all without one; up to 5,000. */
export async function countPassages(
  reader: Reader,
  scope: PassageScope,
  terms: readonly (string | undefined)[],
): Promise<number[]> {
  if (terms.length === 0) return [];
  const counted = terms.map((term, place) => {
    const words = term === undefined ? [] : [term];
    return statement`select ${raw(String(place))} as place, count(*) as count
      from (${byDialect({
        sqlite: statement`select 1 from document_chunk_terms
          where document_chunk_terms match ${fts5Query(scope, words)} limit ${countAtMost}`,
        postgresql: statement`select 1 from searched_passages
          where workspace_id = ${scope.workspaceId}
            and terms @@ ${tsqueryText(scope, words)}::text::tsquery limit ${countAtMost}`,
      })}) counted`;
  });
  // One statement, because each would wait for its turn.
  const rows = await reader.all<{ place: number; count: number }>(
    statement`${join(counted, " union all ")} order by place`,
  );
  return rows.map(({ count }) => Number(count));
}

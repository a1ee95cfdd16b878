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

/**
 * Passages of indexed documents with any of the terms, best first by BM25 (SQLite) or `ts_rank`
 * (PostgreSQL). Above `limit` matches the engines may choose different ones, so rank the result.
 */
export async function searchPassages(
  reader: Reader,
  scope: PassageScope,
  terms: readonly string[],
  limit: number,
  condition?: DocumentCondition,
): Promise<SearchedPassage[]> {
  if (terms.length === 0 || scope.documentIds?.length === 0) return [];
  return reader.all<SearchedPassage>(statement`select ${passageColumns}
    from (${matches(scope, terms, limit, condition)}) m
    ${byDialect({
      // `cross join` keeps the order: otherwise SQLite reads all passages of the workspace.
      sqlite: raw("cross join document_chunks c on c.seq = m.seq cross join documents d"),
      postgresql: statement`join document_chunks c on c.workspace_id = ${scope.workspaceId}
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
function matches(
  scope: PassageScope,
  terms: readonly string[],
  limit: number,
  condition: DocumentCondition | undefined,
): Statement {
  const words = [...new Set(terms)];
  return byDialect({
    sqlite: statement`select rowid as seq, -bm25(document_chunk_terms, 0.0, 1.0) as score
      from document_chunk_terms
      where document_chunk_terms match ${fts5Query(scope, words)}
        ${passes(scope, raw("(select document_id from document_chunks where seq = document_chunk_terms.rowid)"), condition)}
      order by bm25(document_chunk_terms, 0.0, 1.0) limit ${limit}`,
    postgresql: statement`select document_id, ordinal,
        ts_rank(terms, ${words.map(lexeme).join(" | ")}::text::tsquery, 1) as score
      from searched_passages
      where workspace_id = ${scope.workspaceId} and terms @@ ${tsqueryText(scope, words)}::text::tsquery
        ${passes(scope, raw("searched_passages.document_id"), condition)}
      order by score desc, document_id, ordinal limit ${limit}`,
  });
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

/** The number of passages in a scope, and of those with each term, up to 5,000. */
export async function countPassages(
  reader: Reader,
  scope: PassageScope,
  terms: readonly string[],
): Promise<PassageCounts> {
  const counted = [[], ...terms.map((term) => [term])].map(
    (words, place) => statement`select ${raw(String(place))} as place, count(*) as count
      from (${byDialect({
        sqlite: statement`select 1 from document_chunk_terms
          where document_chunk_terms match ${fts5Query(scope, words)} limit ${countAtMost}`,
        postgresql: statement`select 1 from searched_passages
          where workspace_id = ${scope.workspaceId}
            and terms @@ ${tsqueryText(scope, words)}::text::tsquery limit ${countAtMost}`,
      })}) counted`,
  );
  // One statement, because each would wait for its turn.
  const rows = await reader.all<{ place: number; count: number }>(
    statement`${join(counted, " union all ")} order by place`,
  );
  const counts = rows.map(({ count }) => Number(count));
  const [all = 0, ...having] = counts;
  return { all, having };
}

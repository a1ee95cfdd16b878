import type { Reader, Writer } from "../../../database/database.ts";
import { jsonFieldText, lexeme } from "../../../database/dialect.ts";
import { byDialect, join, nothing, raw, statement } from "../../../database/statement.ts";
import type { Statement } from "../../../database/statement.ts";
import type { DocumentContext, DocumentKey } from "./document-row.ts";

/** A passage of a page and the terms by which it is found, repeated as often as they stand there. */
export interface NewPassage {
  /** From 0, in reading order. */
  readonly ordinal: number;
  readonly page: number;
  /** UTF-16 offsets into the page's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly terms: readonly string[];
}

export interface FoundPassage {
  readonly documentId: string;
  readonly documentNumber: string;
  readonly filename: string;
  readonly mediaType: string;
  /** What the file itself says its title is. */
  readonly title: string | undefined;
  readonly ordinal: number;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * What a search is kept to: all of them must hold. The workspace always does. A document belongs to
 * a context by the id that it was uploaded with.
 */
export interface PassageScope {
  readonly workspaceId: string;
  /** Any of these; missing for every document. */
  readonly documentIds?: readonly string[] | undefined;
  /** Each of these. */
  readonly contextIds?: readonly string[] | undefined;
}

/** Adds chunks; those of an earlier run must have been removed. */
export async function insertPassages(
  writer: Writer,
  document: DocumentKey & { readonly context: DocumentContext },
  chunks: readonly NewPassage[],
): Promise<void> {
  const scope = scopeTokens(document);
  for (const chunk of chunks) {
    const values = statement`${document.workspaceId}, ${document.id}, ${chunk.ordinal},
      ${chunk.page}, ${chunk.start}, ${chunk.end}, ${chunk.text}`;
    if (writer.dialect === "sqlite") {
      const row = await writer.first<{ seq: number }>(statement`insert into document_chunks
        (workspace_id, document_id, ordinal, page, span_start, span_end, text)
        values (${values}) returning seq`);
      await writer.run(statement`insert into document_chunk_terms (rowid, scope, terms)
        values (${row?.seq ?? null}, ${scope.join(" ")}, ${chunk.terms.join(" ")})`);
    } else {
      await writer.run(statement`insert into document_chunks
        (workspace_id, document_id, ordinal, page, span_start, span_end, text, terms)
        values (${values}, ${tsvectorText(scope, chunk.terms)}::text::tsvector)`);
    }
  }
}

/** Removes at most `limit` chunks, the first ones; returns how many. */
export async function removePassages(
  writer: Writer,
  key: DocumentKey,
  limit: number,
): Promise<number> {
  const first = statement`workspace_id = ${key.workspaceId} and document_id = ${key.id}
    and ordinal in (
      select ordinal from document_chunks
      where workspace_id = ${key.workspaceId} and document_id = ${key.id}
      order by ordinal limit ${limit}
    )`;
  if (writer.dialect === "sqlite") {
    await writer.run(statement`delete from document_chunk_terms
      where rowid in (select seq from document_chunks where ${first})`);
  }
  const { changedRows } = await writer.run(statement`delete from document_chunks where ${first}`);
  return changedRows;
}

/**
 * Chunks of indexed documents that hold any of the terms, those that the engine thinks best first:
 * BM25 on SQLite, `ts_rank` on PostgreSQL. Both engines match the very same chunks, since terms are
 * made by us; where more than `limit` match, they may choose others. Rank what comes back.
 */
export async function searchPassages(
  reader: Reader,
  scope: PassageScope,
  terms: readonly string[],
  limit: number,
): Promise<FoundPassage[]> {
  if (terms.length === 0 || scope.documentIds?.length === 0) return [];
  const rows = await reader.all<FoundRow>(statement`select
      c.document_id, d.number, d.filename, d.media_type,
      ${jsonFieldText("d.properties", ["title"])} as title, c.ordinal, c.page, c.span_start,
      c.span_end, c.text
    from (${matches(scope, terms, limit)}) m
    ${byDialect({
      // From the matches on: it would go through all passages of the workspace for them.
      sqlite: raw("cross join document_chunks c on c.seq = m.seq cross join documents d"),
      postgresql: statement`join document_chunks c on c.workspace_id = ${scope.workspaceId}
        and c.document_id = m.document_id and c.ordinal = m.ordinal join documents d`,
    })} on d.workspace_id = c.workspace_id and d.id = c.document_id
    where d.workspace_id = ${scope.workspaceId} and d.index_status = 'indexed'
      and d.status <> 'deleting'
    order by m.score desc, c.document_id, c.ordinal`);
  return rows.map((row) => ({
    documentId: row.document_id,
    documentNumber: row.number,
    filename: row.filename,
    mediaType: row.media_type,
    title: row.title ?? undefined,
    ordinal: row.ordinal,
    page: row.page,
    start: row.span_start,
    end: row.span_end,
    text: row.text,
  }));
}

interface FoundRow {
  readonly document_id: string;
  readonly number: string;
  readonly filename: string;
  readonly media_type: string;
  readonly title: string | null;
  readonly ordinal: number;
  readonly page: number;
  readonly span_start: number;
  readonly span_end: number;
  readonly text: string;
}

/** Whether the scope has any document that can be searched. */
export async function isAnythingIndexed(reader: Reader, scope: PassageScope): Promise<boolean> {
  const { workspaceId, documentIds, contextIds = [] } = scope;
  if (documentIds?.length === 0) return false;
  const isOfContext = contextIds.map(
    (id) =>
      statement`and (${join(
        ["planning_application_id", "business_request_id", "assess_case_id"].map(
          (name) => statement`${jsonFieldText("context", [name])} = ${id}`,
        ),
        " or ",
      )})`,
  );
  const row = await reader.first(statement`select 1 as found from documents
    where workspace_id = ${workspaceId} and index_status = 'indexed' and status <> 'deleting'
      ${documentIds === undefined ? nothing : statement`and id in (${join(documentIds)})`}
      ${join(isOfContext, " ")} limit 1`);
  return row !== undefined;
}

/** The best matches alone: the texts are only fetched for these. */
function matches(scope: PassageScope, terms: readonly string[], limit: number): Statement {
  const words = [...new Set(terms)];
  return byDialect({
    sqlite: statement`select rowid as seq, -bm25(document_chunk_terms, 0.0, 1.0) as score
      from document_chunk_terms
      where document_chunk_terms match ${fts5Query(scope, words)}
      order by bm25(document_chunk_terms, 0.0, 1.0) limit ${limit}`,
    postgresql: statement`select document_id, ordinal,
        ts_rank(terms, ${words.map(lexeme).join(" | ")}::text::tsquery, 1) as score
      from document_chunks
      where workspace_id = ${scope.workspaceId} and terms @@ ${tsqueryText(scope, words)}::text::tsquery
      order by score desc, document_id, ordinal limit ${limit}`,
  });
}

/**
 * Workspace, document and context as terms of their own: the index itself then keeps a search to
 * its scope, 4 to 8 times faster than a join (stack.md "FTS5"). Letters and digits only.
 */
export function scopeTokens({
  workspaceId,
  id,
  context,
}: DocumentKey & { readonly context: DocumentContext }): string[] {
  const contextIds = [
    context.planning_application_id,
    context.business_request_id,
    context.assess_case_id,
  ].filter((contextId) => contextId !== undefined);
  return [token("w", workspaceId), token("d", id), ...contextIds.map((each) => token("c", each))];
}

function token(kind: "w" | "d" | "c", id: string): string {
  return `${kind}${id.replaceAll("-", "")}`;
}

/** Alternatives within a list, all lists together. */
function scopeQuery({ workspaceId, documentIds, contextIds }: PassageScope): string[][] {
  return [
    [token("w", workspaceId)],
    ...(documentIds === undefined ? [] : [documentIds.map((id) => token("d", id))]),
    ...(contextIds ?? []).map((id) => [token("c", id)]),
  ];
}

function fts5Query(scope: PassageScope, words: readonly string[]): string {
  const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;
  const scopes = scopeQuery(scope).map((tokens) => `(${tokens.map(quoted).join(" OR ")})`);
  return `scope : (${scopes.join(" AND ")}) AND terms : (${words.map(quoted).join(" OR ")})`;
}

/** A scope's term begins with a sign that no word has, so that no word of a text can be one. */
function scopeLexeme(scopeToken: string): string {
  return lexeme(`#${scopeToken}`);
}

function tsqueryText(scope: PassageScope, words: readonly string[]): string {
  const scopes = scopeQuery(scope).map((tokens) => `(${tokens.map(scopeLexeme).join(" | ")})`);
  return `${scopes.join(" & ")} & (${words.map(lexeme).join(" | ")})`;
}

/** PostgreSQL takes positions up to 16,383, and 256 of one lexeme. */
const maximumPosition = 16_383;
const maximumPositions = 256;

/** The index entry of a passage as PostgreSQL reads it. */
export function tsvectorText(scope: readonly string[], terms: readonly string[]): string {
  const positions = new Map<string, number[]>();
  terms.forEach((term, index) => {
    const known = positions.get(term);
    if (known === undefined) positions.set(term, [index + 1]);
    else if (known.length < maximumPositions) known.push(index + 1);
  });
  const lexemes = [...positions].map(
    ([term, places]) =>
      `${lexeme(term)}:${places.map((place) => Math.min(place, maximumPosition)).join(",")}`,
  );
  return [...scope.map(scopeLexeme), ...lexemes].join(" ");
}

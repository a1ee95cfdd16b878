import type { Reader, Writer } from "../../../database/database.ts";
import { jsonFieldText, jsonText } from "../../../database/dialect.ts";
import { byDialect, raw, statement } from "../../../database/statement.ts";
import { scopeTokens, tsvectorText } from "./passages.ts";
import { nameTerms, passageTerms } from "../passage-terms.ts";
import type { DocumentContext, DocumentKey } from "./document-row.ts";

export interface SearchedDocument extends DocumentKey {
  readonly context: DocumentContext;
  readonly filename: string;
  readonly title: string | null;
}

/** The next indexed documents, in id order. */
export async function searchedDocuments(
  reader: Reader,
  workspaceId: string,
  afterId: string,
  limit: number,
): Promise<SearchedDocument[]> {
  const rows = await reader.all<{
    id: string;
    context: string;
    filename: string;
    title: string | null;
  }>(statement`select id, ${jsonText("context")} as context, filename,
      ${jsonFieldText("properties", ["title"])} as title from documents
    where workspace_id = ${workspaceId} and index_status = 'indexed' and status <> 'deleting'
      and id > ${afterId} order by id limit ${limit}`);
  return rows.map(({ id, context, filename, title }) => ({
    workspaceId,
    id,
    filename,
    title,
    // Only the store of documents writes this column, from this type.
    context: JSON.parse(context) as DocumentContext,
  }));
}

/** Rewrites terms from the passages' texts; returns the last ordinal, undefined at the end. */
export async function rewriteTerms(
  writer: Writer,
  document: SearchedDocument,
  afterOrdinal: number,
  limit: number,
): Promise<number | undefined> {
  const { workspaceId, id } = document;
  const isSqlite = writer.dialect === "sqlite";
  const rows = await writer.all<{
    ordinal: number;
    text: string;
    headings: string;
    seq: number;
  }>(statement`select
      ordinal, text, headings, ${byDialect({ sqlite: raw("seq"), postgresql: raw("0 as seq") })}
    from document_chunks where workspace_id = ${workspaceId} and document_id = ${id}
      and ordinal > ${afterOrdinal} order by ordinal limit ${limit}`);
  const scope = scopeTokens(document);
  const names = nameTerms(document);
  for (const { ordinal, seq, ...passage } of rows) {
    const terms = [...passageTerms(passage), ...names];
    if (isSqlite) {
      await writer.run(statement`delete from document_chunk_terms where rowid = ${seq}`);
      await writer.run(statement`insert into document_chunk_terms (rowid, scope, terms)
        values (${seq}, ${scope.join(" ")}, ${terms.join(" ")})`);
    } else {
      await writer.run(statement`update document_chunks
        set terms = ${tsvectorText(scope, terms)}::text::tsvector
        where workspace_id = ${workspaceId} and document_id = ${id} and ordinal = ${ordinal}`);
    }
  }
  return rows.at(-1)?.ordinal;
}

/** The number of passages in a workspace that have no terms in the index. */
export async function passagesWithoutTerms(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from document_chunks where workspace_id = ${workspaceId} and ${byDialect({
      sqlite: raw(`not exists (select 1 from document_chunk_terms
        where document_chunk_terms.rowid = document_chunks.seq)`),
      postgresql: raw("length(terms) = 0"),
    })}`);
  return Number(row?.count ?? 0);
}

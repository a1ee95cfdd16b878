import type { Reader, Writer } from "../../../database/database.ts";
import { jsonFieldText, jsonText } from "../../../database/dialect.ts";
import { countRows } from "../../../database/row-pages.ts";
import { raw, statement } from "../../../database/statement.ts";
import { entryOf } from "../../../text/search/searched-texts.ts";
import {
  isFindable,
  ofSource,
  replaceEntries,
  type EntryPlace,
} from "../../../search-index/entries.ts";
import { madePassageSource, passageSource } from "../../../search-index/sources.ts";
import { marksOf, passagePlace } from "./passages.ts";
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
  const rows = await writer.all<{
    ordinal: number;
    text: string;
    headings: string;
    place: EntryPlace;
  }>(statement`select ordinal, text, headings, ${passagePlace} as place
    from document_chunks where workspace_id = ${workspaceId} and document_id = ${id}
      and ordinal > ${afterOrdinal} order by ordinal limit ${limit}`);
  const names = nameTerms(document);
  const entries = rows.map(({ place, ordinal, ...passage }) => {
    const marks = marksOf(document, Number(ordinal));
    return { place, entry: { ...entryOf([...passageTerms(passage), ...names]), marks } };
  });
  await replaceEntries(writer, await madePassageSource(writer, workspaceId), entries);
  return rows.at(-1)?.ordinal;
}

/** The number of passages in a workspace that no search can find. */
export async function passagesWithoutEntry(reader: Reader, workspaceId: string): Promise<number> {
  const source = await passageSource(reader, workspaceId);
  const isFound =
    source === undefined
      ? raw("false")
      : statement`exists (select 1 from search_entries
          where ${ofSource(source)} and place = ${passagePlace} and ${isFindable})`;
  return countRows(
    reader,
    statement`from document_chunks where workspace_id = ${workspaceId} and not ${isFound}`,
  );
}

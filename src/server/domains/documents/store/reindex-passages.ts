import type { Reader, Writer } from "../../../database/database.ts";
import { jsonFieldText, jsonText } from "../../../database/dialect.ts";
import { countRows } from "../../../database/row-pages.ts";
import { raw, statement } from "../../../database/statement.ts";
import type { SearchEntry } from "../../../text/search/searched-texts.ts";
import {
  isFindable,
  ofSource,
  replaceEntries,
  type EntryPlace,
} from "../../../search-index/entries.ts";
import { madePassageSource, passageSource } from "../../../search-index/sources.ts";
import { marksOf, passagePlace } from "./passages.ts";
import { nameWords, passageEntry } from "../passage-entry.ts";
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

/** Rewrites entries from the passages' texts; `last` is undefined at the end. */
export async function rewriteTerms(
  writer: Writer,
  document: SearchedDocument,
  afterOrdinal: number,
  limit: number,
): Promise<{ readonly last: number | undefined; readonly entries: readonly SearchEntry[] }> {
  const { workspaceId, id } = document;
  const rows = await writer.all<{
    ordinal: number;
    text: string;
    headings: string;
    place: EntryPlace;
  }>(statement`select ordinal, text, headings, ${passagePlace} as place
    from document_chunks where workspace_id = ${workspaceId} and document_id = ${id}
      and ordinal > ${afterOrdinal} order by ordinal limit ${limit}`);
  const names = nameWords(document);
  const entries = rows.map((passage) => passageEntry(passage, names));
  const writes = rows.flatMap(({ place, ordinal }, at) => {
    const entry = entries[at];
    return entry === undefined
      ? []
      : [{ place, entry: { ...entry, marks: marksOf(document, Number(ordinal)) } }];
  });
  await replaceEntries(writer, await madePassageSource(writer, workspaceId), writes);
  return { last: rows.at(-1)?.ordinal, entries };
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

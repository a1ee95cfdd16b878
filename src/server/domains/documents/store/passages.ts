import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf, jsonFieldText } from "../../../database/dialect.ts";
import {
  byDialect,
  join,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../../database/statement.ts";
import type { SearchEntry } from "../../../text/search/searched-texts.ts";
import {
  insertEntries,
  removeAllEntries,
  removeEntries,
  type EntryPlace,
  type EntryWrite,
} from "../../../search-index/entries.ts";
import { madePassageSource, passageSource } from "../../../search-index/sources.ts";
import { sampleMarks } from "../../../search-index/common-terms.ts";
import type { DocumentContext, DocumentKey } from "./document-row.ts";

/** A passage of a page and its search entry. */
export interface NewPassage {
  /** The place in reading order, from 0. */
  readonly ordinal: number;
  readonly page: number;
  /** UTF-16 offsets into the page's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The heading above it and those inside it, one per line. */
  readonly headings: string;
  readonly entry: SearchEntry;
}

export interface FoundPassage extends Omit<NewPassage, "entry"> {
  readonly documentId: string;
  readonly documentNumber: string;
  readonly filename: string;
  readonly mediaType: string;
  /** The title that the file declares. */
  readonly title: string | null;
}

/** The documents of a search: all conditions apply. */
export interface PassageScope {
  readonly workspaceId: string;
  /** The documents that count; all by default. */
  readonly documentIds?: readonly string[] | undefined;
  /** Records of the upload's context, each of which the document must have. */
  readonly contextIds?: readonly string[] | undefined;
}

export function isWholeWorkspace({ documentIds, contextIds = [] }: PassageScope): boolean {
  return documentIds === undefined && contextIds.length === 0;
}

/** Adds passages; the caller has removed those of an earlier run. */
export async function insertPassages(
  writer: Writer,
  document: DocumentKey & { readonly context: DocumentContext },
  chunks: readonly NewPassage[],
): Promise<void> {
  if (chunks.length === 0) return;
  const { workspaceId, id } = document;
  const rows = chunks.map(({ entry: _entry, ...columns }) => columns);
  const list = JSON.stringify(rows);
  const columns = raw("ordinal, page, span_start, span_end, text, headings");
  const given = byDialect({
    sqlite: statement`select value ->> 'ordinal' as ordinal, value ->> 'page',
      value ->> 'start', value ->> 'end', value ->> 'text', value ->> 'headings'
      from json_each(${list}) where true`,
    postgresql: statement`select ordinal, page, start, "end", text, headings
      from jsonb_to_recordset(${list}::text::jsonb) as given(ordinal bigint, page bigint,
        start bigint, "end" bigint, text text, headings text)`,
  });
  const made = await writer.all<PassageRow>(statement`insert into document_chunks
    (workspace_id, document_id, ${columns})
    select ${workspaceId}, ${id}, given.* from (${given}) as given
    returning ordinal, ${passagePlace} as place`);
  const places = new Map(made.map(({ ordinal, place }) => [Number(ordinal), place]));
  const source = await madePassageSource(writer, workspaceId);
  const entries = chunks.flatMap(({ ordinal, entry }): EntryWrite[] => {
    const place = places.get(ordinal);
    const marked = { ...entry, marks: marksOf(document, ordinal) };
    return place === undefined ? [] : [{ place, entry: marked }];
  });
  await insertEntries(writer, source, entries);
}

/** Removes the first `limit` passages; returns how many. */
export function removePassages(writer: Writer, key: DocumentKey, limit: number): Promise<number> {
  return removeWhere(
    writer,
    key.workspaceId,
    statement`workspace_id = ${key.workspaceId} and document_id = ${key.id}
      and ordinal in (
        select ordinal from document_chunks
        where workspace_id = ${key.workspaceId} and document_id = ${key.id}
        order by ordinal limit ${limit}
      )`,
  );
}

/** Removes up to `limit` passages or entries of a workspace; returns how many. */
export async function erasePassages(
  writer: Writer,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const key = byDialect({ sqlite: raw("seq"), postgresql: raw("ctid") });
  const some = statement`select ${key} from document_chunks
    where workspace_id = ${workspaceId} limit ${limit}`;
  const condition = byDialect({
    sqlite: statement`seq in (${some})`,
    postgresql: statement`ctid = any (array(${some}))`,
  });
  const removed = await removeWhere(writer, workspaceId, condition);
  if (removed > 0) return removed;
  const source = await passageSource(writer, workspaceId);
  return source === undefined ? 0 : removeAllEntries(writer, source, limit);
}

async function removeWhere(
  writer: Writer,
  workspaceId: string,
  condition: Statement,
): Promise<number> {
  const removed = await writer.all<PassageRow>(
    statement`delete from document_chunks where ${condition}
      returning ordinal, ${passagePlace} as place`,
  );
  if (removed.length === 0) return 0;
  const source = await passageSource(writer, workspaceId);
  const places = removed.map(({ place }) => place);
  if (source !== undefined) await removeEntries(writer, source, places);
  return removed.length;
}

/** A passage as the search index knows it. */
interface PassageRow {
  readonly ordinal: number;
  readonly place: EntryPlace;
}

/** The place of a passage's entry in the search index, from the columns of `document_chunks`. */
export const passagePlace: Statement = byDialect({
  sqlite: raw("document_chunks.seq"),
  postgresql: raw("document_chunks.document_id || '/' || document_chunks.ordinal"),
});

export async function isAnythingIndexed(reader: Reader, scope: PassageScope): Promise<boolean> {
  if (scope.documentIds?.length === 0) return false;
  const row = await reader.first(statement`select 1 as found from documents
    where workspace_id = ${scope.workspaceId} and index_status = 'indexed'
      and status <> 'deleting' ${inScope(scope)} limit 1`);
  return row !== undefined;
}

/** The scope within a workspace as further conditions on `documents`. */
export function inScope({ documentIds, contextIds = [] }: PassageScope): Statement {
  const ofContext = contextIds.map(
    (id) =>
      statement`and (${join(
        ["planning_application_id", "business_request_id", "assess_case_id"].map(
          (name) => statement`${jsonFieldText("context", [name])} = ${id}`,
        ),
        " or ",
      )})`,
  );
  const listed =
    documentIds === undefined ? nothing : statement`and ${isOneOf(raw("id"), documentIds)}`;
  return statement`${listed} ${join(ofContext, " ")}`;
}

/** Marks of a passage's entry, by which a search finds its document and context without a join. */
export function marksOf(
  { id, context }: Pick<DocumentKey, "id"> & { readonly context: DocumentContext },
  ordinal: number,
): string[] {
  const contextIds = [
    context.planning_application_id,
    context.business_request_id,
    context.assess_case_id,
  ].filter((contextId) => contextId !== undefined);
  const samples = sampleMarks(`${id}/${ordinal}`);
  return [mark("d", id), ...contextIds.map((each) => mark("c", each)), ...samples];
}

function mark(kind: "d" | "c", id: string): string {
  return `${kind}${id.replaceAll("-", "")}`;
}

/** The marks that the passages of a scope have: one of each list. */
export function marksOfScope({ documentIds, contextIds = [] }: PassageScope): string[][] {
  return [
    ...(documentIds === undefined ? [] : [documentIds.map((id) => mark("d", id))]),
    ...contextIds.map((id) => [mark("c", id)]),
  ];
}

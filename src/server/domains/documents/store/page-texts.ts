import { given } from "#lib/given.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { join, nothing, statement, valueRows } from "../../../database/statement.ts";
import type { PageTable } from "../../../text/tables/page-table.ts";
import type { PageWords } from "../../../text/tables/word-places.ts";
import { beginningOfWords, unsureOf, type WordsText } from "../../../text/tables/words-text.ts";
import type { DocumentKey } from "./document-row.ts";

export interface PageText {
  /** The number of the page, from 1. */
  readonly number: number;
  readonly text: string;
}

export interface PageWithTables extends PageText {
  readonly tables?: readonly PageTable[];
  /** Parts of a picture's text of which the recognition is not sure; see `PageWords`. */
  readonly unsure?: readonly number[];
}

/** A page as the extraction gives it. */
export interface NewPage extends PageWithTables {
  readonly words?: WordsText;
}

/** Pages of one statement, so that there are few texts of it. */
const pagesAtOnce = 10;

/** Adds pages; the caller has removed those of an earlier run. */
export async function insertPages(
  writer: Writer,
  key: DocumentKey,
  pages: readonly NewPage[],
): Promise<void> {
  for (let at = 0; at < pages.length; at += pagesAtOnce) {
    const rows = pages.slice(at, at + pagesAtOnce).map(({ number, text, tables, words }) => {
      const ofTables = tables === undefined ? null : JSON.stringify(tables);
      return [key.workspaceId, key.id, number, text, ofTables, words?.json ?? null];
    });
    await writer.run(statement`insert into document_pages
      (workspace_id, document_id, page, text, tables, words) ${valueRows(rows)}`);
  }
}

export async function pageText(
  reader: Reader,
  key: DocumentKey,
  page: number,
): Promise<string | undefined> {
  const row = await reader.first<{ text: string }>(statement`select text from document_pages
    where workspace_id = ${key.workspaceId} and document_id = ${key.id} and page = ${page}`);
  return row?.text;
}

/** The places of the words of a page; undefined when its format has none. */
export async function pageWords(
  reader: Reader,
  key: DocumentKey,
  page: number,
): Promise<PageWords | undefined> {
  const row = await reader.first<{ words: string | null }>(statement`select words
    from document_pages
    where workspace_id = ${key.workspaceId} and document_id = ${key.id} and page = ${page}`);
  const { words = null } = row ?? {};
  // Only this store writes them, from this type.
  return words === null ? undefined : (JSON.parse(words) as PageWords);
}

/** The next `limit` pages of a document, in order. */
export async function pagesAfter(
  reader: Reader,
  key: DocumentKey,
  afterPage: number,
  limit: number,
): Promise<PageText[]> {
  return reader.all<PageText>(statement`select page as number, text from document_pages
    where workspace_id = ${key.workspaceId} and document_id = ${key.id} and page > ${afterPage}
    order by page limit ${limit}`);
}

/** The next `limit` pages with their tables, in order; with `only` those that have tables. */
export async function pagesWithTables(
  reader: Reader,
  key: DocumentKey,
  afterPage: number,
  limit: number,
  { only = false } = {},
): Promise<PageWithTables[]> {
  const condition = only ? statement`and tables is not null` : nothing;
  const rows = await reader.all<
    PageText & { tables: string | null; words: string | null }
  >(statement`
    select page as number, text, tables, substr(words, 1, ${beginningOfWords}) as words
    from document_pages
    where workspace_id = ${key.workspaceId} and document_id = ${key.id} and page > ${afterPage}
      ${condition} order by page limit ${limit}`);
  // Only this store writes them, from this type.
  return rows.map(({ tables, words, ...page }) => ({
    ...page,
    ...given({
      tables: tables === null ? undefined : (JSON.parse(tables) as PageTable[]),
      unsure: unsureOf(words),
    }),
  }));
}

/** Texts of pages of several documents; missing pages are left out. */
export async function pageTexts(
  reader: Reader,
  workspaceId: string,
  places: readonly { readonly documentId: string; readonly page: number }[],
): Promise<{ documentId: string; page: number; text: string }[]> {
  if (places.length === 0) return [];
  const keys = places.map(({ documentId, page }) => statement`(${documentId}, ${page})`);
  return reader.all(statement`select document_id as "documentId", page, text from document_pages
    where workspace_id = ${workspaceId} and (document_id, page) in (values ${join(keys)})`);
}

/** Removes the first `limit` pages; returns how many. */
export async function removePages(
  writer: Writer,
  key: DocumentKey,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from document_pages
    where workspace_id = ${key.workspaceId} and document_id = ${key.id} and page in (
      select page from document_pages
      where workspace_id = ${key.workspaceId} and document_id = ${key.id}
      order by page limit ${limit}
    )`);
  return changedRows;
}

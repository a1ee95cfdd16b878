import type { Reader, Writer } from "../database/database.ts";
import { isOneOf, lexeme } from "../database/dialect.ts";
import { countRows } from "../database/row-pages.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";
import type { IndexedTerm } from "../text/search/asked-terms.ts";
import { entryKinds, type EntrySource } from "./sources.ts";

/** The searched content of a text; see `text/search/searched-texts.ts`. */
export interface StoredEntry {
  /** Terms of the text, each once. */
  readonly terms: readonly string[];
  /** Terms that no word of a text equals, such as the text's document. */
  readonly marks?: readonly string[];
  readonly length: number;
  readonly checksum: number;
}

/** Names the entry's text in its source: a whole number on SQLite, a text on PostgreSQL. */
export type EntryPlace = number | string;

/** The new entry of a text; an entry without terms is not stored. */
export interface EntryWrite {
  readonly place: EntryPlace;
  readonly entry: StoredEntry;
}

/** A term, prefixed by the source's number: a search reads only entries of its sources. */
function indexTerm(source: number, term: string): string {
  return `${source.toString(36)}.${term}`;
}

/** The term of an index term. */
export function textTerm(indexed: string): string {
  return indexed.slice(indexed.indexOf(".") + 1);
}

/** A mark as a term of an entry: no word of a text starts with `#`. */
export function markTerm(mark: string): string {
  return `#${mark}`;
}

function termsOfEntry(source: number, { terms, marks = [] }: StoredEntry): string[] {
  return [...marks.map(markTerm), ...terms].map((term) => indexTerm(source, term));
}

/** An entry has one term of each list. */
export type TermLists = readonly (readonly IndexedTerm[])[];

/** The query for entries that have some term of each list. */
export function indexQuery(
  sources: readonly number[],
  lists: TermLists,
): { readonly fts5: string; readonly tsquery: string } {
  const text = (
    { quote, beginning }: { readonly quote: (term: string) => string; readonly beginning: string },
    or: string,
    and: string,
  ): string => {
    const ofSource = (term: IndexedTerm, source: number): string =>
      typeof term === "string"
        ? quote(indexTerm(source, term))
        : `${quote(indexTerm(source, term.prefix))}${beginning}`;
    return lists
      .map((terms) => terms.flatMap((term) => sources.map((source) => ofSource(term, source))))
      .map((alternatives) => `(${alternatives.join(or)})`)
      .join(and);
  };
  return {
    fts5: text({ quote: quoted, beginning: " *" }, " OR ", " AND "),
    tsquery: text({ quote: lexeme, beginning: ":*" }, " | ", " & "),
  };
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

export async function insertEntries(
  writer: Writer,
  source: EntrySource,
  writes: readonly EntryWrite[],
): Promise<void> {
  const entries = writes.filter(({ entry }) => hasTerms(entry));
  if (entries.length === 0) return;
  if (writer.dialect === "postgresql") return writeAll(writer, source, entries, raw(""));
  for (let at = 0; at < entries.length; at += entriesAtOnce) {
    await insertSome(writer, source, entries.slice(at, at + entriesAtOnce));
  }
}

/** One statement takes all their texts, each of at most about 100 KB. */
const entriesAtOnce = 64;

/** SQLite: two statements for all entries take half the time of two per entry. */
async function insertSome(
  writer: Writer,
  source: EntrySource,
  entries: readonly EntryWrite[],
): Promise<void> {
  const given = entries.map(({ place, entry: { length, checksum } }) => [place, length, checksum]);
  const rows = await writer.all<{ place: number; seq: number }>(
    statement`insert into search_entries (source, place, length, checksum)
      select ${source.number}, value ->> 0, value ->> 1, value ->> 2
      from json_each(${JSON.stringify(given)}) where true
      returning place, seq`,
  );
  const keys = new Map<EntryPlace, number>(rows.map(({ place, seq }) => [place, seq]));
  const texts = entries.map(({ place, entry }) => [
    keys.get(place) ?? null,
    termsOfEntry(source.number, entry).join(" "),
  ]);
  writer.runLast(statement`insert into search_terms (rowid, terms)
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(texts)})`);
  mergeSometimes(writer, rows[0]?.seq ?? 0, entries);
}

/** Index pages that one merge writes; one eighth of the writes merge. */
const mergedPages = { least: 32, most: 256 };
/** One statement merges so many of them: it takes about a millisecond. */
const pagesAtOnce = 32;
/** Number of terms that fit on an index page. */
const termsOfPage = 12;

/**
 * SQLite: each transaction adds a segment of terms, and a search reads all segments. FTS5 would
 * merge 16 of them at once and block for 40 ms, so each eighth write merges a little, chosen by a
 * hash.
 */
function mergeSometimes(writer: Writer, seq: number, entries: readonly EntryWrite[]): void {
  if (Math.imul(seq, 0x9e3779b1) >>> 29 !== 0) return;
  const terms = entries.reduce((sum, { entry }) => sum + entry.terms.length, 0);
  const pagesOfTerms = Math.ceil(terms / termsOfPage);
  const pages = Math.min(mergedPages.most, Math.max(mergedPages.least, pagesOfTerms));
  for (let left = pages; left > 0; left -= pagesAtOnce) {
    const some = Math.min(left, pagesAtOnce);
    writer.runLast(
      statement`insert into search_terms (search_terms, rank) values ('merge', ${some})`,
    );
  }
}

/** Replaces entries, or adds them where there are none. */
export async function replaceEntries(
  writer: Writer,
  source: EntrySource,
  writes: readonly EntryWrite[],
): Promise<void> {
  const entries = writes.filter(({ entry }) => hasTerms(entry));
  const emptied = writes.filter(({ entry }) => !hasTerms(entry));
  await removeEntries(
    writer,
    source,
    emptied.map(({ place }) => place),
  );
  if (entries.length === 0) return;
  if (writer.dialect === "postgresql") {
    return writeAll(writer, source, entries, replacingEntries);
  }
  for (const { place, entry } of entries) {
    const row = await writer.first<{ seq: number }>(statement`insert into search_entries
      (source, place, length, checksum)
      values (${source.number}, ${place}, ${entry.length}, ${entry.checksum})
      on conflict (source, place) do update
        set length = excluded.length, checksum = excluded.checksum
      returning seq`);
    writer.runLast(statement`replace into search_terms (rowid, terms)
      values (${row?.seq ?? null}, ${termsOfEntry(source.number, entry).join(" ")})`);
    // The checksum changes with each replacement, unlike the entry's own number.
    mergeSometimes(writer, entry.checksum, [{ place, entry }]);
  }
}

export async function removeEntries(
  writer: Writer,
  source: EntrySource,
  places: readonly EntryPlace[],
): Promise<void> {
  if (places.length === 0) return;
  await removeWhere(writer, statement`${ofSource(source)} and ${isEntryOf(places)}`);
}

async function removeWhere(writer: Writer, condition: Statement): Promise<number> {
  if (writer.dialect === "postgresql") {
    return (await writer.run(statement`delete from search_entries where ${condition}`)).changedRows;
  }
  const rows = await writer.all<{ seq: number }>(
    statement`delete from search_entries where ${condition} returning seq`,
  );
  for (const { seq } of rows) {
    writer.runLast(statement`delete from search_terms where rowid = ${seq}`);
  }
  return rows.length;
}

/** A range of places, and the condition that an entry of `search_entries` has no text. */
export interface StrayRange {
  readonly afterPlace: Statement;
  /** Undefined for no upper bound. */
  readonly upToPlace?: Statement | undefined;
  readonly isStray: Statement;
}

/** Removes up to `limit` entries in a range of places whose texts no longer exist. */
export async function removeStrayEntries(
  writer: Writer,
  source: EntrySource,
  { afterPlace, upToPlace, isStray }: StrayRange,
  limit: number,
): Promise<number> {
  const upTo = upToPlace === undefined ? raw("") : statement`and ${entryPlace} <= ${upToPlace}`;
  const stray = statement`select ${entryPlace} from search_entries
    where ${ofSource(source)} and ${entryPlace} > ${afterPlace} ${upTo} and ${isStray}
    limit ${limit}`;
  return removeWhere(
    writer,
    statement`${ofSource(source)} and ${byDialect({
      sqlite: statement`place in (${stray})`,
      postgresql: statement`place = any (array(${stray}))`,
    })}`,
  );
}

/** The place of a row of `search_entries`, in the condition that it is stray. */
export const entryPlace = raw("search_entries.place");

function isEntryOf(places: readonly EntryPlace[]): Statement {
  return byDialect({
    sqlite: statement`place in (select value from json_each(${JSON.stringify(places)}))`,
    postgresql: isOneOf(raw("place"), places.map(String)),
  });
}

/** Removes up to `limit` entries of a source; returns how many. */
export async function removeAllEntries(
  writer: Writer,
  source: EntrySource,
  limit: number,
): Promise<number> {
  const some = byDialect({
    sqlite: statement`seq in (select seq from search_entries
      where source = ${source.number} limit ${limit})`,
    postgresql: statement`workspace_id = ${source.workspaceId} and source = ${source.number}
      and place in (select place from search_entries
        where workspace_id = ${source.workspaceId} and source = ${source.number}
        limit ${limit})`,
  });
  return removeWhere(writer, some);
}

export async function countStrayEntries(
  reader: Reader,
  source: EntrySource,
  isStray: Statement,
): Promise<number> {
  return countRows(reader, statement`from search_entries where ${ofSource(source)} and ${isStray}`);
}

/** True for a row of `search_entries` that a search can find. */
export const isFindable: Statement<boolean> = byDialect<boolean>({
  sqlite: raw("exists (select 1 from search_terms where rowid = search_entries.seq)"),
  postgresql: raw("length(search_entries.terms) > 0"),
});

/** The checksums of the entries that a search can find, by their places. */
export async function entryChecksums(
  reader: Reader,
  source: EntrySource,
  places: readonly EntryPlace[],
): Promise<ReadonlyMap<EntryPlace, number>> {
  const rows = await reader.all<{ place: EntryPlace; checksum: number }>(
    statement`select place, checksum from search_entries
      where ${ofSource(source)} and ${isEntryOf(places)} and ${isFindable}`,
  );
  return new Map(rows.map(({ place, checksum }) => [place, checksum]));
}

export function ofSource({ workspaceId, number }: EntrySource): Statement {
  return byDialect({
    sqlite: statement`search_entries.source = ${number}`,
    postgresql: statement`search_entries.workspace_id = ${workspaceId}
      and search_entries.source = ${number}`,
  });
}

function hasTerms({ terms, marks = [] }: StoredEntry): boolean {
  return terms.length > 0 || marks.length > 0;
}

/** PostgreSQL: the columns that {@link entryRow} fills, after those of the source. */
export const entryColumns = "length bigint, checksum bigint, terms text";

/** PostgreSQL: an entry as a row of JSON; its terms are empty for an entry that is not stored. */
export function entryRow(source: number, entry: StoredEntry): object {
  const { length, checksum } = entry;
  return { length, checksum, terms: termsOfEntry(source, entry).map(lexeme).join(" ") };
}

/** PostgreSQL: the start of an insert of such rows, which have their place as `place`. */
export function insertIntoEntries({ workspaceId, number, kind }: EntrySource): Statement {
  return statement`insert into search_entries
    (workspace_id, source, kind, place, length, checksum, terms)
    select ${workspaceId}::text, ${number}::bigint, ${entryKinds[kind]}::bigint, place, length,
      checksum, terms::tsvector`;
}

/** PostgreSQL: the end of such an insert where there may be entries. */
export const replacingEntries: Statement = raw(`on conflict (workspace_id, source, place)
  do update set length = excluded.length, checksum = excluded.checksum, terms = excluded.terms`);

/** PostgreSQL: all entries in one round trip. */
async function writeAll(
  writer: Writer,
  source: EntrySource,
  writes: readonly EntryWrite[],
  onConflict: Statement,
): Promise<void> {
  const rows = writes.map(({ place, entry }) => ({ place, ...entryRow(source.number, entry) }));
  await writer.run(statement`${insertIntoEntries(source)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as given(place text, ${raw(entryColumns)}) ${onConflict}`);
}

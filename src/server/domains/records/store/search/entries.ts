import { uuidNumber } from "../../../../kit/ordered-uuid.ts";
import type { Reader, Writer } from "../../../../database/database.ts";
import { isOneOf, lexeme } from "../../../../database/dialect.ts";
import { countRows } from "../../../../database/row-pages.ts";
import { byDialect, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import { idOrder, isOneOfRecords, numbersOf, placeOf } from "../record-numbers.ts";

/** The searched content of a record; see `text/search/searched-texts.ts`. */
export interface StoredEntry {
  readonly terms: readonly string[];
  readonly length: number;
  readonly checksum: number;
}

/** A record's new entry; an entry without terms is not stored. */
export interface EntryWrite {
  readonly id: string;
  readonly entry: StoredEntry;
}

/** A term, prefixed by the type's number: a search reads only entries of its types. */
export function indexTerm(typeNumber: number, term: string): string {
  return `${typeNumber.toString(36)}.${term}`;
}

export async function insertEntries(
  writer: Writer,
  type: TypeKey,
  writes: readonly EntryWrite[],
): Promise<void> {
  const entries = writes.filter(({ entry }) => entry.terms.length > 0);
  if (entries.length === 0) return;
  if (writer.dialect === "postgresql") return writeAll(writer, type, entries, raw(""));
  for (let at = 0; at < entries.length; at += entriesAtOnce) {
    await insertSome(writer, type, entries.slice(at, at + entriesAtOnce));
  }
}

/** One statement takes all their texts, each of at most about 100 KB. */
const entriesAtOnce = 128;

/** SQLite: two statements for all entries take half the time of two per entry. */
async function insertSome(
  writer: Writer,
  type: TypeKey,
  entries: readonly EntryWrite[],
): Promise<void> {
  const numbered = entries.map(({ id, entry }) => ({ number: uuidNumber(id), entry }));
  const given = numbered.map(({ number, entry: { length, checksum } }) => [
    number,
    length,
    checksum,
  ]);
  const rows = await writer.all<{ number: number; seq: number }>(
    statement`insert into resource_search (type_number, record_number, length, checksum)
      select ${type.number}, value ->> 0, value ->> 1, value ->> 2
      from json_each(${JSON.stringify(given)}) where true
      returning record_number as number, seq`,
  );
  const keys = new Map(rows.map(({ number, seq }) => [number, seq]));
  const texts = numbered.map(({ number, entry }) => [
    keys.get(number) ?? null,
    termsText(type, entry),
  ]);
  writer.runLast(statement`insert into resource_terms (rowid, terms)
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(texts)})`);
  mergeSometimes(writer, rows[0]?.seq ?? 0, entries);
}

/** Index pages that one merge writes; one eighth of the writes merge. */
const mergedPages = { least: 32, most: 256 };
/** Terms per index page. */
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
  writer.runLast(
    statement`insert into resource_terms (resource_terms, rank) values ('merge', ${pages})`,
  );
}

/** Replaces entries, or adds them where there are none. */
export async function replaceEntries(
  writer: Writer,
  type: TypeKey,
  writes: readonly EntryWrite[],
): Promise<void> {
  const entries = writes.filter(({ entry }) => entry.terms.length > 0);
  const emptied = writes.filter(({ entry }) => entry.terms.length === 0);
  await removeEntries(
    writer,
    type,
    emptied.map(({ id }) => id),
  );
  if (entries.length === 0) return;
  if (writer.dialect === "postgresql") {
    return writeAll(
      writer,
      type,
      entries,
      raw(`on conflict (workspace_id, type_number, resource_id) do update
        set length = excluded.length, checksum = excluded.checksum, terms = excluded.terms`),
    );
  }
  for (const { id, entry } of entries) {
    const row = await writer.first<{ seq: number }>(statement`insert into resource_search
      (type_number, record_number, length, checksum)
      values (${type.number}, ${uuidNumber(id)}, ${entry.length}, ${entry.checksum})
      on conflict (type_number, record_number) do update
        set length = excluded.length, checksum = excluded.checksum
      returning seq`);
    writer.runLast(statement`replace into resource_terms (rowid, terms)
      values (${row?.seq ?? null}, ${termsText(type, entry)})`);
    // The checksum changes with each replacement, unlike the entry's own number.
    mergeSometimes(writer, entry.checksum, [{ id, entry }]);
  }
}

export async function removeEntries(
  writer: Writer,
  type: TypeKey,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await removeWhere(writer, statement`${ofType(type)} and ${isEntryOf(ids)}`);
}

async function removeWhere(writer: Writer, condition: Statement): Promise<number> {
  if (writer.dialect === "postgresql") {
    return (await writer.run(statement`delete from resource_search where ${condition}`))
      .changedRows;
  }
  const rows = await writer.all<{ seq: number }>(
    statement`delete from resource_search where ${condition} returning seq`,
  );
  for (const { seq } of rows) {
    writer.runLast(statement`delete from resource_terms where rowid = ${seq}`);
  }
  return rows.length;
}

export interface EntryRange {
  readonly afterId: string;
  /** Undefined for no upper bound. */
  readonly upToId?: string | undefined;
}

/** Removes entries in a range of ids whose records no longer exist. */
export async function removeStrayEntries(
  writer: Writer,
  type: TypeKey,
  { afterId, upToId }: EntryRange,
  limit: number,
): Promise<number> {
  const upTo = upToId === undefined ? raw("") : statement`and ${entryKey} <= ${placeOf(upToId)}`;
  const stray = statement`select ${entryKey} from resource_search
    where ${ofType(type)} and ${entryKey} > ${placeOf(afterId)} ${upTo} and ${isStray(type)}
    limit ${limit}`;
  return removeWhere(
    writer,
    statement`${ofType(type)} and ${byDialect({
      sqlite: statement`record_number in (${stray})`,
      postgresql: statement`resource_id = any (array(${stray}))`,
    })}`,
  );
}

/** The entry's column that equals {@link idOrder} of its record. */
const entryKey = byDialect({
  sqlite: raw("resource_search.record_number"),
  postgresql: raw("resource_search.resource_id"),
});

function isStray(type: TypeKey): Statement {
  return statement`not exists (select 1 from resources where workspace_id = ${type.workspaceId}
    and type_number = ${type.number} and ${idOrder} = ${entryKey})`;
}

function isEntryOf(ids: readonly string[]): Statement {
  return byDialect({
    sqlite: statement`record_number in (${numbersOf(ids)})`,
    postgresql: isOneOf(raw("resource_id"), ids),
  });
}

/** Removes up to `limit` entries of a type; returns how many. */
export async function removeAllEntries(
  writer: Writer,
  type: TypeKey,
  limit: number,
): Promise<number> {
  const some = byDialect({
    sqlite: statement`seq in (select seq from resource_search
      where type_number = ${type.number} limit ${limit})`,
    postgresql: statement`workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and resource_id in (select resource_id from resource_search
        where workspace_id = ${type.workspaceId} and type_number = ${type.number}
        limit ${limit})`,
  });
  return removeWhere(writer, some);
}

export async function countStrayEntries(reader: Reader, type: TypeKey): Promise<number> {
  return countRows(
    reader,
    statement`from resource_search where ${ofType(type)} and ${isStray(type)}`,
  );
}

/** The checksums of entries with terms, by the records' ids. */
export async function entryChecksums(
  reader: Reader,
  type: TypeKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const hasTerms = byDialect({
    sqlite: raw("exists (select 1 from resource_terms where rowid = resource_search.seq)"),
    postgresql: raw("length(terms) > 0"),
  });
  const rows = await reader.all<{ id: string; checksum: number }>(
    byDialect({
      sqlite: statement`select resources.id, checksum from resources
        join resource_search on resource_search.type_number = resources.type_number
          and resource_search.record_number = resources.record_number
        where resources.type_number = ${type.number} and ${isOneOfRecords(ids)} and ${hasTerms}`,
      postgresql: statement`select resource_id as id, checksum from resource_search
        where ${ofType(type)} and ${isEntryOf(ids)} and ${hasTerms}`,
    }),
  );
  return new Map(rows.map(({ id, checksum }) => [id, checksum]));
}

function ofType(type: TypeKey): Statement {
  return byDialect({
    sqlite: statement`resource_search.type_number = ${type.number}`,
    postgresql: statement`resource_search.workspace_id = ${type.workspaceId}
      and resource_search.type_number = ${type.number}`,
  });
}

function termsText({ number }: TypeKey, { terms }: StoredEntry): string {
  return terms.map((term) => indexTerm(number, term)).join(" ");
}

/** PostgreSQL: all entries in one round trip. */
async function writeAll(
  writer: Writer,
  { workspaceId, number }: TypeKey,
  writes: readonly EntryWrite[],
  onConflict: Statement,
): Promise<void> {
  const rows = writes.map(({ id, entry: { terms, length, checksum } }) => ({
    id,
    length,
    checksum,
    terms: terms.map((term) => lexeme(indexTerm(number, term))).join(" "),
  }));
  await writer.run(statement`insert into resource_search
    (workspace_id, type_number, resource_id, length, checksum, terms)
    select ${workspaceId}::text, ${number}::bigint, id, length, checksum, terms::tsvector
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as given(id text, length bigint, checksum bigint, terms text) ${onConflict}`);
}

import type { JsonObject } from "#contract/values.ts";
import { uuidNumber } from "../../../../kit/ordered-uuid.ts";
import type { Reader, Writer } from "../../../../database/database.ts";
import { isOneOf, jsonText, lexeme } from "../../../../database/dialect.ts";
import { byDialect, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import { idOrder, isOneOfRecords, numbersOf, placeOf } from "../record-numbers.ts";

/** What of a record is searched; see `engines/search/searched-texts.ts`. */
export interface StoredEntry {
  readonly terms: readonly string[];
  readonly length: number;
  readonly checksum: number;
}

/** A record's new entry; one without terms is no entry at all. */
export interface EntryWrite {
  readonly id: string;
  readonly entry: StoredEntry;
}

/**
 * A term of one type's records as the index has it: the type's number stands before it, so that no
 * search ever reads what belongs to other types or workspaces.
 */
export function indexTerm(typeNumber: number, term: string): string {
  return `${typeNumber.toString(36)}.${term}`;
}

/** Entries of records that are new. */
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

/** Of which a statement takes the texts as one: each has at most some 100 KB of terms. */
const entriesAtOnce = 128;

/** SQLite: two statements for all, which take half of what two for each of them do. */
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

/** Of an eighth of all writes of terms, each merges so many pages of the index, and large ones more. */
const mergedPages = { least: 32, most: 256 };
/** Of a few records, or of one long text. */
const termsOfPage = 12;

/**
 * SQLite: each transaction's terms are a segment of their own, and a search looks into all of them.
 * FTS5 itself would merge them all at once when there are enough, for 40 ms in which nobody is
 * answered; here it is a little each time, by chance, but the same for the same entry. Should that
 * ever be too little, FTS5 merges sixteen of one size.
 */
function mergeSometimes(writer: Writer, seq: number, entries: readonly EntryWrite[]): void {
  if (Math.imul(seq, 0x9e3779b1) >>> 29 !== 0) return;
  const terms = entries.reduce((sum, { entry }) => sum + entry.terms.length, 0);
  const wanted = Math.ceil(terms / termsOfPage);
  const pages = Math.min(mergedPages.most, Math.max(mergedPages.least, wanted));
  writer.runLast(
    statement`insert into resource_terms (resource_terms, rank) values ('merge', ${pages})`,
  );
}

/** Entries that take the place of those that are there, if any. */
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
    // Not by the entry's own number, which stays the same however often it is replaced.
    mergeSometimes(writer, entry.checksum, [{ id, entry }]);
  }
}

/** Takes records out of the index; those that are not in it pass by. */
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
  /** Missing: all that come after. */
  readonly upToId?: string | undefined;
}

/** Removes entries in a range of ids that are of no record any more. */
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

/** What ties an entry to its record: what {@link idOrder} is of the record. */
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

/** Removes entries of a type, whether of records or not; at most `limit`. Returns how many. */
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

/** The data of the next records of a type in id order. */
export async function recordsAfter(
  reader: Reader,
  type: TypeKey,
  afterId: string,
  limit: number,
): Promise<{ id: string; data: JsonObject }[]> {
  const rows = await reader.all<{ id: string; data: string }>(statement`select id,
    ${jsonText("data")} as data from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${idOrder} > ${placeOf(afterId)}
    order by ${idOrder} limit ${limit}`);
  // Only the platform writes the column, and only objects.
  return rows.map(({ id, data }) => ({ id, data: JSON.parse(data) as JsonObject }));
}

/** How many entries of a type are of no record. */
export async function countStrayEntries(reader: Reader, type: TypeKey): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from resource_search where ${ofType(type)} and ${isStray(type)}`);
  return Number(row?.count ?? 0);
}

/** The checksums of entries whose terms are in the index, by the records' ids. */
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

/** PostgreSQL: all of them in one round trip. */
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

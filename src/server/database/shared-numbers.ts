import { uuidNumber } from "../kit/ordered-uuid.ts";
import type { Reader, Writer } from "./database.ts";
import { raw, statement, type Statement } from "./statement.ts";

/*
 * SQLite keys records by numbers that follow from their ids. Several platforms on PostgreSQL may
 * have made two ids with one number: one record then has a free number, by the table
 * `shared_numbers`, which also keeps the numbers of deleted records. Mostly the table is empty.
 */

/** A restore of rows needs it before its change of the schema. */
export const sharedNumbersTable = `create table if not exists shared_numbers (
  id text not null primary key,
  record_number integer not null unique
) without rowid`;

/** Builds without the table are refused from the first such record on. */
export const refuseOlderBuilds: Statement = raw(`update svc_migrations set needs = null
  where name = '0050-shared-numbers' and exists (select 1 from shared_numbers)`);

/** The number of the record with this id; for an id without a record, a place in the order. */
export function numberOf(id: string): Statement {
  return statement`coalesce(
    (select record_number from shared_numbers where id = ${id}), ${uuidNumber(id)})`;
}

/** Selects the numbers of the records with these ids, and of few others. */
export function numbersOf(ids: readonly string[]): Statement {
  const numbers = JSON.stringify(ids.map((id) => uuidNumber(id)));
  return statement`select value as record_number from json_each(${numbers})
    union all select record_number from shared_numbers
      where id in (select value from json_each(${JSON.stringify(ids)}))
        and exists (select 1 from shared_numbers)`;
}

/** The most by which a free number is smaller than the one of the id: 256 milliseconds. */
export const farthestNumber = 2 ** 20;

/** The numbers of records by their ids. */
export type RecordNumbers = (id: string) => number;

/** Reads the numbers of the records with these ids. */
export async function recordNumbers(
  reader: Reader,
  ids: readonly string[],
): Promise<RecordNumbers> {
  const one = await reader.first(raw("select 1 from shared_numbers limit 1"));
  if (one === undefined || ids.length === 0) return uuidNumber;
  const rows = await reader.all<NumberedId>(statement`select id, record_number as number
    from shared_numbers where id in (select value from json_each(${JSON.stringify(ids)}))`);
  const found = new Map(rows.map(({ id, number }) => [id, Number(number)]));
  return (id) => found.get(id) ?? uuidNumber(id);
}

interface NumberedId {
  readonly id: string;
  readonly number: number;
}

/**
 * The numbers for records to store. One whose number another record has, or another one of these
 * ids, gets a free number a little smaller: the generator of new ids never gives it again.
 */
export async function takeNumbers(reader: Reader, ids: readonly string[]): Promise<RecordNumbers> {
  const known = await recordNumbers(reader, ids);
  const holders = await holdersOf(reader, ids.map(known));
  const taken = new Map<string, number>();
  const shared: string[] = [];
  for (const id of new Set(ids)) {
    const holder = holders.get(known(id)) ?? id;
    if (holder === id) holders.set(known(id), id);
    else shared.push(id);
  }
  for (const id of shared) {
    const number = await freeNumber(reader, id, holders);
    holders.set(number, id);
    taken.set(id, number);
    await reader.all(statement`insert into shared_numbers (id, record_number)
      values (${id}, ${number})
      on conflict (id) do update set record_number = excluded.record_number`);
  }
  if (taken.size === 0) return known;
  // A schema that is being restored may not have the change yet.
  const change = await reader.first(
    raw("select 1 from svc_migrations where name = '0050-shared-numbers'"),
  );
  if (change !== undefined) await reader.all(refuseOlderBuilds);
  return (id) => taken.get(id) ?? known(id);
}

/** The stored records that have some of these numbers, by the numbers. */
async function holdersOf(reader: Reader, numbers: readonly number[]): Promise<Map<number, string>> {
  const least = numbers.reduce((one, other) => Math.min(one, other), Number.MAX_SAFE_INTEGER);
  const last = await reader.first<{ last: number | null }>(
    raw("select max(record_number) as last from resources"),
  );
  // Rows that are appended in their order have no holder.
  if (least > Number(last?.last ?? 0)) return new Map();
  const rows = await reader.all<NumberedId>(statement`select id, record_number as number
    from resources
    where record_number in (select value from json_each(${JSON.stringify(numbers)}))`);
  return new Map(rows.map(({ id, number }) => [Number(number), id]));
}

/** Reaches that are tried one after the other, from a 64th of a millisecond to 256. */
const reaches = [2 ** 6, 2 ** 12, 2 ** 16, farthestNumber];
const triesPerReach = 16;

/** A free number below the one of an id; the random part of the id chooses where. */
async function freeNumber(
  reader: Reader,
  id: string,
  holders: ReadonlyMap<number, string>,
): Promise<number> {
  const seed = Number.parseInt(id.slice(-8), 16);
  for (const reach of reaches) {
    const tries = Array.from(
      { length: triesPerReach },
      (_, at) => uuidNumber(id) - 1 - ((seed + at * stride) % reach),
    ).filter((number) => number > 0 && !holders.has(number));
    const row = await reader.first<{ number: number }>(statement`select value as number
      from json_each(${JSON.stringify(tries)})
      where not exists (select 1 from resources where record_number = value)
        and not exists (select 1 from shared_numbers where record_number = value)
      order by key limit 1`);
    if (row !== undefined) return Number(row.number);
  }
  throw new RangeError(`Cannot find a free number for the record ${id}`);
}

/** Odd, so that the tries differ in each reach. */
const stride = 40_503;

/** Frees the numbers of records of which no trace remains. */
export async function forgetNumbers(
  writer: Pick<Writer, "dialect" | "run">,
  ids: readonly string[],
): Promise<void> {
  if (writer.dialect === "postgresql") return;
  await writer.run(statement`delete from shared_numbers
    where id in (select value from json_each(${JSON.stringify(ids)}))`);
}

/** Rows of `records`, which is `resources`, with a number of the table. */
export const sharedRecords: Statement =
  raw(`shared_numbers as shared cross join resources as records
  on records.record_number = shared.record_number and records.id = shared.id`);

/** Reads rows of `resources as records`. */
export interface RecordPages<Row> {
  /** The next rows, in the order of their numbers. */
  own(isNext: Statement, limit: number): Promise<readonly Row[]>;
  /** The next rows of {@link sharedRecords}, in the order of their ids. */
  shared(isNext: Statement, limit: number): Promise<readonly Row[]>;
  idOf(row: Row): string;
}

/**
 * The next rows of records after an id in the order of ids, from which that of numbers may differ
 * by {@link farthestNumber}.
 */
export async function pageInOrderOfIds<Row>(
  { own, shared, idOf }: RecordPages<Row>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly Row[]> {
  const rows = await own(
    statement`records.record_number >= ${uuidNumber(after)} collate binary
      and records.id > ${after}
      and not exists (select 1 from shared_numbers where shared_numbers.id = records.id)`,
    limit,
  );
  const end = rows.length < limit ? undefined : rows.at(-1);
  const upTo = end === undefined ? raw("true") : statement`shared.id < ${idOf(end)}`;
  const others = await shared(statement`shared.id > ${after} and ${upTo}`, limit);
  if (others.length === 0) return rows;
  const byId = (one: Row, other: Row): number => (idOf(one) < idOf(other) ? -1 : 1);
  return [...rows, ...others].toSorted(byId).slice(0, limit);
}

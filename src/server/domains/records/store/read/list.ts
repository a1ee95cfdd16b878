import type { Database, Reader } from "../../../../database/database.ts";
import { stillWanted } from "../../../../database/dialect.ts";
import { join, raw, statement, type Statement } from "../../../../database/statement.ts";
import { recordCount } from "../../../object-types/service.ts";
import type { StoredRecord } from "../record-types.ts";
import { recordColumns } from "../records.ts";
import {
  byId,
  isDecidedBySlots,
  planOf,
  slotConditions,
  type ListPlan,
  type TypeSource,
} from "./list-plan.ts";
import {
  baseConditions,
  directConditions,
  indexConditions,
  matching,
  matchingBySlot,
} from "./scans.ts";
import { scannerOf, type ScanCaller } from "./scans.ts";
import { isRecord } from "../record-numbers.ts";
import { isAfter, isUpTo, newestFirst, orderBy, sortValue, usingIndex } from "./sort.ts";
import type { SortKey, SortValue } from "./sort.ts";
import { compileWhere } from "../../where/compile.ts";
import type { Condition } from "../../../../database/where/condition.ts";

export interface RecordPage {
  readonly type: TypeSource;
  readonly condition: Condition | undefined;
  readonly keys: readonly SortKey[];
  /** Begin behind the record with these values. */
  readonly after: readonly SortValue[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface ListedRecords {
  readonly records: readonly StoredRecord[];
  /** What one of the records was sorted by. */
  valuesAt(index: number): SortValue[];
}

/** Rows that may be skipped, or matched one by one, where everybody's point reads run. */
const maximumDirectOffset = 1_000;

/** Reads one page. What no index serves goes where it holds nobody up, until `caller` goes. */
export async function listRecords(
  database: Database,
  page: RecordPage,
  caller?: ScanCaller,
): Promise<ListedRecords> {
  const { type, condition, keys, offset } = page;
  const plan = planOf(type, condition, keys);
  const pages = database.read.pages ?? database.read;
  if (plan.isDirect && offset <= maximumDirectOffset) return readPage(pages, page, plan);
  const reader = scannerOf(database, type, caller);
  const isByValue = plan.slot !== undefined && keys.length > 1;
  if (database.dialect !== "sqlite") {
    return (await readSoon(pages, page, plan)) ?? readPage(reader, page, plan);
  }
  if (plan.isDirect) return readPage(reader, page, plan);
  if (plan.isOrdered && isByValue) return readByValue(reader, page, plan);
  if (plan.slot !== undefined && !plan.isOrdered && keys.length === 1) {
    const near = await readNear(isDecidedBySlots(type, condition) ? database.read : reader, page);
    if (near !== undefined) return near;
  }
  return readPage(reader, page, await settledPlan(reader, page, plan));
}

/**
 * PostgreSQL: a page that is full with what is found among the first rows of an index in its order;
 * undefined if it is not, or where more than index columns decide the filter.
 */
async function readSoon(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
): Promise<ListedRecords | undefined> {
  const { type, condition, keys, after, limit, offset } = page;
  if (condition === undefined || offset + limit > maximumDirectOffset) return undefined;
  if (!isDecidedBySlots(type, condition)) return undefined;
  const isByTime = keys.length === 1;
  if (!plan.isOrdered && !isByTime) return undefined;
  const slot = plan.isOrdered ? plan.slot : undefined;
  const ofIndex = slot === undefined ? [] : slotConditions(type, condition, slot);
  const first = directConditions(type, undefined, slot).concat(ofIndex);
  if (after !== undefined) first.push(isAfter(keys, after));
  const source = statement`(select resources.* from resources where ${join(first, " and ")}
    order by ${orderBy(keys)} limit ${maximumDirectOffset}) as resources
    where ${compileWhere(condition, type)}`;
  const found = await readFrom(reader, page, source);
  return found.records.length === limit ? found : undefined;
}

/** Rows in the order of creation that are looked at first for a page of a range in that order. */
const nearRows = [100, maximumDirectOffset];
/** Of a page, what has to be among the first of them for the others to be looked at as well. */
const leastShare = 1 / 10;

/** The page of a wide range is soon found in the order that is asked for; undefined if it is not. */
async function readNear(reader: Reader, page: RecordPage): Promise<ListedRecords | undefined> {
  const wanted = page.offset + page.limit;
  const plan = byId({ isDirect: true, isOrdered: true });
  for (const rows of nearRows.filter((some) => some > wanted)) {
    const near = await readAhead(reader, page, plan, rows);
    if (near.isWhole || near.records.length === page.limit) return near;
    if (near.records.length < page.limit * leastShare) return undefined;
  }
  return undefined;
}

/** Rows of an index that are put in order sooner than the first page of all records is found. */
const fewRows = 2_000;
/**
 * Rows in the order of their values lie all over the table, those in the order of creation one behind
 * the other: to look at so many of the first costs as much as to look at all of a type.
 */
const mostShare = 1 / 16;

/**
 * A range of an index has its rows in another order than that which is asked for. Where there are
 * many, a page is found sooner among the records in the order of creation, of which a good part fits
 * then, and any other order among all records; PostgreSQL has statistics to tell.
 */
async function settledPlan(reader: Reader, page: RecordPage, plan: ListPlan): Promise<ListPlan> {
  if (plan.slot === undefined || plan.isOrdered) return plan;
  const isByTime = page.keys.length === 1;
  const most = isByTime ? fewRows : await mostRows(reader, page.type);
  const areMany = await hasRows(reader, page, plan, most);
  return areMany ? byId({ isDirect: false, isOrdered: isByTime }) : plan;
}

/**
 * The page of an order that an index has, where a filter has to be asked of each record: soon found
 * if many pass it. If few do, all records are looked at in the order of their creation.
 */
async function readByValue(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
): Promise<ListedRecords> {
  const most = await mostRows(reader, page.type);
  for (const rows of most > fewRows ? [fewRows, most] : [fewRows]) {
    const near = await readAhead(reader, page, plan, rows);
    if (near.isWhole || near.records.length === page.limit) return near;
  }
  return readPage(reader, page, byId({ isDirect: false, isOrdered: false }));
}

async function mostRows(reader: Reader, type: TypeSource): Promise<number> {
  const records = await recordCount(reader, type.workspaceId, type.number);
  return Math.max(fewRows, Math.ceil(records * mostShare));
}

/** The page by an index, whichever it is; up to a place in the index, if one is given. */
function readPage(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
  upTo?: readonly SortValue[],
): Promise<ListedRecords> {
  const { type, condition, keys, after, offset } = page;
  const conditions =
    plan.isDirect && offset <= maximumDirectOffset
      ? directConditions(type, condition, plan.slot)
      : [stillWanted, ...baseConditions(type, condition, plan.slot)];
  if (after !== undefined) conditions.push(isAfter(keys, after));
  if (upTo !== undefined) conditions.push(isUpTo(keys, upTo));
  return readFrom(
    reader,
    page,
    statement`resources${usingIndex(plan.index)} where ${join(conditions, " and ")}`,
  );
}

/**
 * What of the page is among the next rows of an index that has them in the page's order, and whether
 * there are no others.
 */
async function readAhead(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
  rows: number,
): Promise<ListedRecords & { readonly isWhole: boolean }> {
  const bound = await placeAhead(reader, page, plan, rows);
  return { ...(await readPage(reader, page, plan, bound)), isWhole: bound === undefined };
}

/**
 * The newest records that pass a filter, some after some, at most `limit`: whoever ends it on the way
 * has those that were found so far. Without an index for the filter they are of `rows` records each,
 * or of all others.
 */
export async function* newestPassing(
  database: Database,
  type: TypeSource,
  condition: Condition,
  { rows, limit }: { readonly rows: number; readonly limit: number },
  caller: ScanCaller,
): AsyncGenerator<readonly StoredRecord[], void, undefined> {
  const keys = newestFirst();
  const plan = planOf(type, condition, keys);
  let page: RecordPage = { type, condition, keys, after: undefined, offset: 0, limit };
  if (plan.slot !== undefined || plan.isDirect) {
    yield (await listRecords(database, page, caller)).records;
    return;
  }
  const reader = scannerOf(database, type, caller);
  for (let isFirst = true; ; isFirst = false) {
    // PostgreSQL goes through a whole table sooner than part after part along an index.
    const isPart = isFirst || reader.dialect === "sqlite";
    const bound = isPart ? await placeAhead(reader, page, plan, rows) : undefined;
    const { records } = await readPage(reader, page, plan, bound);
    yield records;
    if (bound === undefined || records.length >= page.limit) return;
    page = { ...page, after: bound, limit: page.limit - records.length };
  }
}

/** Where an index is so many rows behind a page's beginning; undefined where it has no more. */
async function placeAhead(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
  rows: number,
): Promise<SortValue[] | undefined> {
  const source = statement`(select resources.* from ${rowsOfIndex(page, plan)}
    order by ${orderBy(page.keys)} limit 1 offset ${rows}) as resources`;
  const { records, valuesAt } = await readFrom(reader, { ...page, offset: 0, limit: 1 }, source);
  return records.length === 0 ? undefined : valuesAt(0);
}

async function readFrom(
  reader: Reader,
  { keys, limit, offset }: RecordPage,
  source: Statement,
): Promise<ListedRecords> {
  const records = await reader.all<StoredRecord & SortColumns>(statement`select
    ${join([recordColumns, ...sortColumns(keys)])} from ${source}
    order by ${orderBy(keys)} limit ${limit} offset ${offset}`);
  return { records, valuesAt: (index) => sortValuesIn(keys, records[index]) };
}

/** Whether a page's index has so many rows behind its beginning, whatever else is asked of them. */
async function hasRows(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
  rows: number,
): Promise<boolean> {
  const found = await reader.first<{ count: number }>(
    statement`select count(*) as count from (select 1 from ${rowsOfIndex(page, plan)} limit ${rows})`,
  );
  return found?.count === rows;
}

/** What stands after `from` for the rows of a page's index from its beginning on. */
function rowsOfIndex({ type, condition, keys, after }: RecordPage, plan: ListPlan): Statement {
  const behind = after === undefined || !plan.isOrdered ? [] : [isAfter(keys, after)];
  const conditions = [stillWanted, ...indexConditions(type, condition, plan.slot), ...behind];
  return statement`resources${usingIndex(plan.index)} where ${join(conditions, " and ")}`;
}

type SortColumns = Readonly<Record<`k${number}`, unknown>>;

/** The id stands among the record's own columns. */
function sortColumns(keys: readonly SortKey[]): Statement[] {
  return keys.flatMap((key, index) =>
    key.isId ? [] : [statement`${key.expression} as ${raw(`k${index}`)}`],
  );
}

function sortValuesIn(
  keys: readonly SortKey[],
  row: ({ readonly id: string } & SortColumns) | undefined,
): SortValue[] {
  return keys.map((key, index) => sortValue(key, key.isId ? row?.id : row?.[`k${index}`]));
}

/** What a record is sorted by now; undefined when there is no such record any more. */
export async function sortValuesOf(
  reader: Reader,
  type: TypeSource,
  keys: readonly SortKey[],
  id: string,
): Promise<SortValue[] | undefined> {
  const row = await reader.first<{ id: string } & SortColumns>(statement`select
    ${join([raw("resources.id"), ...sortColumns(keys)])} from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number} and ${isRecord(id)}`);
  return row && sortValuesIn(keys, row);
}

/** How many records pass a filter. */
export async function countRecords(
  database: Database,
  type: TypeSource,
  condition: Condition,
  caller?: ScanCaller,
): Promise<number> {
  const { slot } = planOf(type, condition, []);
  // Counted in the index alone where that decides the filter.
  const rows = matchingBySlot(type, condition, slot) ?? matching(type, condition);
  const row = await scannerOf(database, type, caller).first<{ count: number }>(
    statement`select count(*) as count from ${rows}`,
  );
  return Number(row?.count ?? 0);
}

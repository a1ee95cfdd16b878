import type { Reader } from "../../../../database/database.ts";
import { unlessStopped } from "../../../../database/dialect.ts";
import { countRows } from "../../../../database/row-pages.ts";
import { join, raw, statement, type Statement } from "../../../../database/statement.ts";
import { recordCount } from "../../../object-types/service.ts";
import type { StoredRecord } from "../record-types.ts";
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
  scannerOf,
  type Readers,
  type ScanCaller,
} from "./scans.ts";
import { isRecord } from "../record-numbers.ts";
import { columnsOf } from "./projection.ts";
import { isAfter, isUpTo, creationOrder, orderBy, sortValue, usingIndex } from "./sort.ts";
import type { SortKey, SortValue } from "./sort.ts";
import { compileWhere } from "../../where/compile-where.ts";
import type { Condition } from "../../../../database/where/condition.ts";
import type { ListedRecords, RecordPage } from "./listed-page.ts";
import { isNearestFirst, readNearest } from "./nearest-pages.ts";

/** Rows that may be skipped, or matched one by one, on the readers of point reads. */
const maximumDirectOffset = 1_000;

/** Reads one page. Reads that no index serves run in the scan pool, until `caller` disconnects. */
export async function listRecords(
  readers: Readers,
  page: RecordPage,
  caller?: ScanCaller,
): Promise<ListedRecords> {
  if (isNearestFirst(page)) {
    const nearest = await readNearest(readers.read, page, (part) => {
      const { type, condition, keys } = part;
      return readers.read.dialect === "sqlite"
        ? listRecords(readers, part, caller)
        : readPage(scannerOf(readers, type, caller), part, planOf(type, condition, keys));
    });
    if (nearest !== undefined) return nearest;
  }
  const { type, condition, keys, offset } = page;
  const { read } = readers;
  const plan = planOf(type, condition, keys);
  const pages = read.pages ?? read;
  if (plan.isDirect && offset <= maximumDirectOffset) return readPage(pages, page, plan);
  const reader = scannerOf(readers, type, caller);
  const isByValue = plan.slot !== undefined && keys.length > 1;
  if (read.tuning?.probesLists === false) return readPage(reader, page, plan);
  if (read.dialect !== "sqlite") {
    return (await readSoon(pages, page, plan)) ?? readPage(reader, page, plan);
  }
  if (plan.isDirect) return readPage(reader, page, plan);
  if (plan.isOrdered && isByValue) return readByValue(reader, page, plan);
  if (plan.slot !== undefined && !plan.isOrdered && keys.length === 1) {
    const near = await readNear(isDecidedBySlots(type, condition) ? read : reader, page);
    if (near !== undefined) return near;
  }
  return readPage(reader, page, await settledPlan(reader, page, plan));
}

/** True if the rows of a page are the next ones of an index, so that it can be read in steps. */
export function isOrderedByIndex({ type, condition, keys }: RecordPage): boolean {
  const { isDirect, isOrdered } = planOf(type, condition, keys);
  return isDirect && isOrdered;
}

/** PostgreSQL: the page if index columns decide the filter, and an index's first rows fill it. */
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
  const ofIndex = plan.isOrdered ? slotConditions(type, condition, plan) : [];
  const first = directConditions(type, undefined, slot).concat(ofIndex);
  if (after !== undefined) first.push(isAfter(keys, after));
  const source = statement`(select resources.* from resources where ${join(first, " and ")}
    order by ${orderBy(keys)} limit ${maximumDirectOffset}) as resources
    where ${compileWhere(condition, type)}`;
  const found = await readFrom(reader, page, source);
  return found.records.length === limit ? found : undefined;
}

/** Rows by creation that are tried first for a page of a range in that order. */
const nearRows = [100, maximumDirectOffset];
/** Share of a page that must be among the first rows for the next ones to be tried. */
const leastShare = 1 / 10;

/** The page of a wide range, which is soon found in the requested order; undefined if it is not. */
async function readNear(reader: Reader, page: RecordPage): Promise<ListedRecords | undefined> {
  const needed = page.offset + page.limit;
  const plan = byId({ isDirect: true, isOrdered: true });
  for (const rows of nearRows.filter((some) => some > needed)) {
    const near = await readAhead(reader, page, plan, rows);
    if (near.isWhole || near.records.length === page.limit) return near;
    if (near.records.length < page.limit * leastShare) return undefined;
  }
  return undefined;
}

/** Rows of an index that are sorted faster than the first page of all records is found. */
const fewRows = 2_000;
/**
 * Rows in the order of values are spread over the table. Reading this share of a type's rows in
 * that order costs as much as reading all of them by creation.
 */
const mostShare = 1 / 16;

/**
 * A plan for an index range that is not in the requested order. Many matching rows are found faster
 * by creation, or among all records for any other order. PostgreSQL decides by its statistics.
 */
async function settledPlan(reader: Reader, page: RecordPage, plan: ListPlan): Promise<ListPlan> {
  if (plan.slot === undefined || plan.isOrdered) return plan;
  const isByTime = page.keys.length === 1;
  const most = isByTime ? fewRows : await mostRows(reader, page.type);
  const areMany = await hasRows(reader, page, plan, most);
  return areMany ? byId({ isDirect: false, isOrdered: isByTime }) : plan;
}

/** The page in an index's order, testing each record; by creation when few records match. */
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

function readPage(
  reader: Reader,
  page: RecordPage,
  plan: ListPlan,
  upTo?: readonly SortValue[],
): Promise<ListedRecords> {
  const { type, condition, keys, after, offset } = page;
  if (upTo === undefined && reader.dialect === "sqlite" && isFirstByCreation(page)) {
    return recordsOf(reader, keys, firstByCreation(page));
  }
  const conditions =
    plan.isDirect && offset <= maximumDirectOffset
      ? directConditions(type, condition, plan.slot)
      : [unlessStopped, ...baseConditions(type, condition, plan.slot)];
  if (after !== undefined) conditions.push(isAfter(keys, after));
  if (upTo !== undefined) conditions.push(isUpTo(keys, upTo));
  return readFrom(
    reader,
    page,
    statement`resources${usingIndex(plan.index)} where ${join(conditions, " and ")}`,
  );
}

/** True for the first page of all whole records by creation, which most lists are. */
function isFirstByCreation({ condition, keys, after, offset, projection }: RecordPage): boolean {
  const isWhole = condition === undefined && projection === undefined && after === undefined;
  return isWhole && keys.length === 1 && offset <= maximumDirectOffset;
}

/** The statement of {@link readFrom} for such a page, in texts that are rendered once. */
function firstByCreation({ type, keys, limit, offset }: RecordPage): Statement {
  const { workspaceId, number } = type;
  if (keys[0]?.isDescending === true) {
    return statement`select id, version, json(data) as data, created_at, updated_at, created_by,
        updated_by from resources indexed by resources_by_id
      where workspace_id = ${workspaceId} and type_number = ${number}
      order by record_number desc limit ${limit} offset ${offset}`;
  }
  return statement`select id, version, json(data) as data, created_at, updated_at, created_by,
      updated_by from resources indexed by resources_by_id
    where workspace_id = ${workspaceId} and type_number = ${number}
    order by record_number limit ${limit} offset ${offset}`;
}

/** The matches among the next rows of an index in its order; `isWhole` at the index's end. */
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
 * The newest records that match a filter, in batches, at most `limit`. The caller may stop early.
 * Without an index for the filter, a batch comes from the next `rows` records, or from all the
 * rest.
 */
export async function* newestPassing(
  readers: Readers,
  type: TypeSource,
  condition: Condition,
  { rows, limit }: { readonly rows: number; readonly limit: number },
  caller: ScanCaller,
): AsyncGenerator<readonly StoredRecord[], void, undefined> {
  const keys = creationOrder(true);
  const plan = planOf(type, condition, keys);
  let page: RecordPage = { type, condition, keys, after: undefined, offset: 0, limit };
  if (plan.slot !== undefined || plan.index === undefined || plan.isDirect) {
    yield (await listRecords(readers, page, caller)).records;
    return;
  }
  const reader = scannerOf(readers, type, caller);
  for (let isFirst = true; ; isFirst = false) {
    // PostgreSQL reads a whole table faster than parts of it along an index.
    const isPart = isFirst || reader.dialect === "sqlite";
    const bound = isPart ? await placeAhead(reader, page, plan, rows) : undefined;
    const { records } = await readPage(reader, page, plan, bound);
    yield records;
    if (bound === undefined || records.length >= page.limit) return;
    page = { ...page, after: bound, limit: page.limit - records.length };
  }
}

/** The sort values this many rows after the page's start; undefined past the index's end. */
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

function readFrom(
  reader: Reader,
  { keys, limit, offset, projection }: RecordPage,
  source: Statement,
): Promise<ListedRecords> {
  const columns = join([columnsOf(projection), ...sortColumns(keys)]);
  const order = orderBy(keys);
  // PostgreSQL makes the columns of skipped rows too, unless those are made around the page.
  const rows =
    offset > 0 && reader.dialect === "postgresql"
      ? statement`(select resources.* from ${source}
          order by ${order} limit ${limit} offset ${offset}) as resources order by ${order}`
      : statement`${source} order by ${order} limit ${limit} offset ${offset}`;
  return recordsOf(reader, keys, statement`select ${columns} from ${rows}`);
}

async function recordsOf(
  reader: Reader,
  keys: readonly SortKey[],
  selection: Statement,
): Promise<ListedRecords> {
  const records = await reader.all<StoredRecord & SortColumns>(selection);
  return { records, valuesAt: (index) => sortValuesIn(keys, records[index]) };
}

/** True if a page's index has this many rows after its start, whatever the rest of the filter. */
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

/** The `from` clause of a page's index from its start on. */
function rowsOfIndex({ type, condition, keys, after }: RecordPage, plan: ListPlan): Statement {
  const behind = after === undefined || !plan.isOrdered ? [] : [isAfter(keys, after)];
  const conditions = [unlessStopped, ...indexConditions(type, condition, plan), ...behind];
  return statement`resources${usingIndex(plan.index)} where ${join(conditions, " and ")}`;
}

type SortColumns = Readonly<Record<`k${number}`, unknown>>;

/** The id is among the record's own columns. */
function sortColumns(keys: readonly SortKey[]): Statement[] {
  return keys.flatMap((key, index) =>
    key.isId ? [] : [statement`${key.expression} as ${raw(`k${index}`)}`],
  );
}

/** The values that a row of a page was sorted by. */
export function sortValuesIn(
  keys: readonly SortKey[],
  row: { readonly id: string } | undefined,
): SortValue[] {
  const columns = row as ({ readonly id: string } & SortColumns) | undefined;
  return keys.map((key, index) => sortValue(key, key.isId ? row?.id : columns?.[`k${index}`]));
}

/** The current sort values of a record; undefined when it no longer exists. */
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

export async function countRecords(
  readers: Pick<Readers, "scan">,
  type: TypeSource,
  condition: Condition,
  caller?: ScanCaller,
): Promise<number> {
  const { slot } = planOf(type, condition, []);
  // The index alone where it decides the filter.
  const rows = matchingBySlot(type, condition, slot) ?? matching(type, condition);
  return countRows(scannerOf(readers, type, caller), statement`from ${rows}`);
}

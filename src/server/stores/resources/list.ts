import type { Database, Reader } from "../database.ts";
import { stillWanted } from "../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../database/statement.ts";
import { recordColumns, type StoredRecord } from "../resources.ts";
import { slotColumn, slotIndex, type Slot } from "./slots.ts";
import { isAfter, orderBy, orderSlot, sortValue, usingIndex } from "./sort.ts";
import type { SortKey, SortValue } from "./sort.ts";
import { compileWhere, normalTest, slotTest, type SlotTest } from "./where/compile.ts";
import type { Condition } from "./where/condition.ts";
import { fieldAt, isDeclared, type FieldSource } from "./where/fields.ts";

export interface TypeSource extends FieldSource {
  readonly workspaceId: string;
  readonly number: number;
}

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

/** Whose going away ends a scan. The signal is only asked for where there is one: it costs. */
export interface ScanCaller {
  readonly signal: AbortSignal;
}

/** Reads one page. What no index serves goes where it holds nobody up, until `caller` goes. */
export async function listRecords(
  database: Database,
  page: RecordPage,
  caller?: ScanCaller,
): Promise<ListedRecords> {
  const { type, condition, keys, after, offset, limit } = page;
  const plan = await settledPlan(database, page, caller);
  const isDirect = plan.isDirect && offset <= maximumDirectOffset;
  const conditions = baseConditions(type, condition, plan.slot);
  if (!isDirect) conditions.unshift(stillWanted);
  if (after !== undefined) conditions.push(isAfter(keys, after));
  const query = statement`select ${join([recordColumns, ...sortColumns(keys)])}
    from resources${usingIndex(plan.index)} where ${join(conditions, " and ")}
    order by ${orderBy(keys)} limit ${limit} offset ${offset}`;
  const reader = isDirect ? database.read : scannerOf(database, type, caller);
  const records = await reader.all<StoredRecord & SortColumns>(query);
  return { records, valuesAt: (index) => sortValuesIn(keys, records[index]) };
}

/** Rows of an index that are put in order sooner than the first page of all records is found. */
const fewRows = 2_000;

/**
 * A range of an index has its rows in another order than that of creation. Where there are many, a
 * page is found sooner among the records in that order, of which a good part fits then; PostgreSQL
 * has statistics to tell.
 */
async function settledPlan(
  database: Database,
  { type, condition, keys }: RecordPage,
  caller: ScanCaller | undefined,
): Promise<ListPlan> {
  const plan = planOf(type, condition, keys);
  if (!plan.isUnordered || keys.length > 1 || database.dialect !== "sqlite") return plan;
  const rows = matchingBySlot(type, condition, plan.slot);
  if (rows === undefined) return plan;
  const found = await scannerOf(database, type, caller).first<{ count: number }>(
    statement`select count(*) as count from (select 1 from ${rows} limit ${fewRows})`,
  );
  return found?.count === fewRows ? byId(false) : plan;
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
    where workspace_id = ${type.workspaceId} and type_number = ${type.number} and id = ${id}`);
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

/** What stands after `from` for all records that pass a filter, in no order; for a scan. */
export function matching(type: TypeSource, condition: Condition | undefined): Statement {
  const plan = planOf(type, condition, []);
  const conditions = [stillWanted, ...baseConditions(type, condition, plan.slot)];
  return statement`resources${usingIndex(plan.index)} where ${join(conditions, " and ")}`;
}

/**
 * The same by an index column that all of them have, in its order; undefined where another index
 * serves the filter better.
 */
export function matchingBySlot(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement | undefined {
  const plan = planOf(type, condition, []);
  // Its index begins with the workspace, and serves single values only.
  if (slot?.kind === "unique") return undefined;
  const isServed = plan.slot !== undefined || plan.isDirect;
  if (slot === undefined || (condition !== undefined && isServed && plan.slot !== slot)) {
    return undefined;
  }
  const conditions = [
    stillWanted,
    byDialect({
      // The index lacks the workspace, which the type's number implies: asked once, no row is read.
      sqlite: statement`exists (select 1 from object_types
        where workspace_id = ${type.workspaceId} and number = ${type.number})`,
      postgresql: statement`resources.workspace_id = ${type.workspaceId}`,
    }),
    statement`resources.type_number = ${type.number}`,
    ...(condition === undefined ? [] : [compileWhere(condition, type)]),
    raw(`resources.${slotColumn(slot)} is not null`),
  ];
  return statement`resources${usingIndex(slotIndex(slot))} where ${join(conditions, " and ")}`;
}

/** Where a type's records are looked through: away from everybody's reads, and no longer than wanted. */
export function scannerOf(
  database: Database,
  type: TypeSource,
  caller: ScanCaller | undefined,
): Reader {
  return database.scan.with({
    share: type.workspaceId,
    ...(caller === undefined ? {} : { signal: caller.signal }),
  });
}

function baseConditions(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement[] {
  return [
    statement`resources.workspace_id = ${type.workspaceId}`,
    statement`resources.type_number = ${type.number}`,
    ...(condition === undefined ? [] : [compileWhere(condition, type)]),
    // Says that the slot's partial index has every row that is wanted.
    ...(slot === undefined ? [] : [raw(`resources.${slotColumn(slot)} is not null`)]),
  ];
}

interface ListPlan {
  readonly index: string;
  readonly slot: Slot | undefined;
  /** Only rows of the page are looked at, or nearly so. */
  readonly isDirect: boolean;
  /** The index has its rows in an order that nobody asked for. */
  readonly isUnordered?: boolean;
}

/** Which index serves a filter and an order, and whether it does so alone. */
function planOf(
  type: TypeSource,
  condition: Condition | undefined,
  keys: readonly SortKey[],
): ListPlan {
  const tests = conjuncts(condition);
  const bySlot = tests.flatMap((test) => slotTestOf(type, test) ?? []);
  const isOnly = tests.length <= 1;
  if (tests.some((test) => isIdTest(type, test))) {
    return byId(true);
  }
  const unique = bySlot.find(({ slot }) => slot.kind === "unique");
  if (unique !== undefined) return withSlot(unique.slot, true);
  const equal = bySlot.find(({ isEquality }) => isEquality);
  const isByTime = keys.length === 1;
  if (isByTime && equal !== undefined) return withSlot(equal.slot, isOnly);
  const ordered = orderSlot(keys);
  if (ordered !== undefined && (equal === undefined || equal.slot === ordered)) {
    return withSlot(
      ordered,
      tests.length === bySlot.length && bySlot.every(({ slot }) => slot === ordered),
    );
  }
  const other = equal ?? bySlot[0];
  if (other !== undefined) return { ...withSlot(other.slot, false), isUnordered: true };
  return byId(isByTime && tests.length === 0);
}

/**
 * Declared properties that a filter and an order go by without an index to help: every record of
 * the type is looked at for them. Empty where an index serves the filter, and the page's records
 * alone have to be put in order.
 */
export function unservedPaths(
  type: TypeSource,
  condition: Condition | undefined,
  keys: readonly SortKey[],
): string[] {
  const tests = conjuncts(condition);
  if (tests.some((test) => isIdTest(type, test))) return [];
  if (tests.some((test) => slotTestOf(type, test) !== undefined)) return [];
  const filtered = tests.flatMap((test) => {
    if (test.kind !== "field") return [];
    const field = fieldAt(type, test.path);
    return field.kind === "column" ? [] : [field.path];
  });
  const [first] = keys;
  const isSorted = first !== undefined && !first.isId && first.slot === undefined;
  const sorted = isSorted && first.path !== undefined ? [first.path] : [];
  const declared = [...filtered, ...sorted].filter((path) => isDeclared(type, path));
  return [...new Set(declared.map((path) => path.join(".")))];
}

function byId(isDirect: boolean): ListPlan {
  return { index: "resources_by_id", slot: undefined, isDirect };
}

function withSlot(slot: Slot, isDirect: boolean): ListPlan {
  return { index: slotIndex(slot), slot, isDirect };
}

/** The conditions that all have to hold. */
function conjuncts(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.kind === "and" ? condition.conditions.flatMap(conjuncts) : [condition];
}

function slotTestOf(type: TypeSource, condition: Condition): SlotTest | undefined {
  if (condition.kind !== "field") return undefined;
  return slotTest(fieldAt(type, condition.path), normalTest(type, condition.path, condition.test));
}

function isIdTest(type: TypeSource, condition: Condition): boolean {
  if (condition.kind !== "field") return false;
  const field = fieldAt(type, condition.path);
  const isId = field.kind === "column" && field.column === "id";
  return isId && (condition.test.kind === "equal" || condition.test.kind === "in");
}

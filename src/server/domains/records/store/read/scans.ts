import type { Database, Reader } from "../../../../database/database.ts";
import { unlessStopped } from "../../../../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import { planOf, slotConditions, type TypeSource } from "./list-plan.ts";
import { slotColumn, slotIndex, type Slot } from "../../../object-types/service.ts";
import { usingIndex } from "./sort.ts";
import { compileWhere } from "../../where/compile.ts";
import type { Condition } from "../../../../database/where/condition.ts";

/** Whose going away ends a scan. The signal is only asked for where there is one: it costs. */
export interface ScanCaller {
  readonly signal: AbortSignal;
}

/** What stands after `from` for all records that pass a filter, in no order; for a scan. */
export function matching(type: TypeSource, condition: Condition | undefined): Statement {
  const plan = planOf(type, condition, []);
  const conditions = [unlessStopped, ...baseConditions(type, condition, plan.slot)];
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
    unlessStopped,
    ...typeConditions(type, slot),
    ...(condition === undefined ? [] : [compileWhere(condition, type)]),
  ];
  return statement`resources${usingIndex(slotIndex(slot))} where ${join(conditions, " and ")}`;
}

/** What an index alone tells of a type's records and a filter, so that no row is read for it. */
export function indexConditions(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement[] {
  const bySlot = slot === undefined ? [] : slotConditions(type, condition, slot);
  return [...typeConditions(type, slot), ...bySlot];
}

/** What every record of a type passes in a slot's index, or in that of ids. */
function typeConditions(type: TypeSource, slot: Slot | undefined): Statement[] {
  return [
    byDialect({
      // The indexes lack the workspace, which the type's number implies: asked once, no row is read.
      sqlite: statement`exists (select 1 from object_types
        where workspace_id = ${type.workspaceId} and number = ${type.number})`,
      postgresql: statement`resources.workspace_id = ${type.workspaceId}`,
    }),
    statement`resources.type_number = ${type.number}`,
    ...(slot === undefined ? [] : [raw(`resources.${slotColumn(slot)} is not null`)]),
  ];
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

/** What every record of a type passes, and the filter. */
export function baseConditions(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement[] {
  return [isInWorkspace(type), ...ofType(type, condition, slot)];
}

/**
 * The same for a page that one index serves: PostgreSQL is kept from the index of ids, which it takes
 * for better than that of a column where the records of several types lie side by side.
 */
export function directConditions(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement[] {
  const isInside = isInWorkspace(type);
  if (slot === undefined || slot.kind === "unique")
    return [isInside, ...ofType(type, condition, slot)];
  const unindexed = byDialect({
    sqlite: isInside,
    postgresql: statement`(${isInside}) is true`,
  });
  return [unindexed, ...ofType(type, condition, slot)];
}

function isInWorkspace({ workspaceId }: TypeSource): Statement {
  return statement`resources.workspace_id = ${workspaceId}`;
}

function ofType(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement[] {
  return [
    statement`resources.type_number = ${type.number}`,
    ...(condition === undefined ? [] : [compileWhere(condition, type)]),
    // Says that the slot's partial index has every row that is wanted.
    ...(slot === undefined ? [] : [raw(`resources.${slotColumn(slot)} is not null`)]),
  ];
}

import type { Reader } from "../../../../database/database.ts";
import type { Work } from "../../../../work/work.ts";
import { unlessStopped } from "../../../../database/dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import { planOf, slotConditions, type ListPlan, type TypeSource } from "./list-plan.ts";
import { slotColumn, slotIndex, type Slot } from "../../../../fields/slots.ts";
import { usingIndex } from "./sort.ts";
import { compileWhere } from "../../where/compile-where.ts";
import type { Condition } from "../../../../database/where/condition.ts";

/** Disconnecting ends a scan. The signal is read only when needed: creating it costs time. */
export interface ScanCaller {
  readonly signal: AbortSignal;
}

/** The readers of a request. */
export type Readers = Pick<Work, "read" | "scan">;

/** The `from` clause of all records that match a filter, in no order, for a scan. */
export function matching(type: TypeSource, condition: Condition | undefined): Statement {
  const plan = planOf(type, condition, []);
  const conditions = [unlessStopped, ...baseConditions(type, condition, plan.slot)];
  return statement`resources${usingIndex(plan.index)} where ${join(conditions, " and ")}`;
}

/** {@link matching} in an index column's order; undefined if another index serves it better. */
export function matchingBySlot(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement | undefined {
  const plan = planOf(type, condition, []);
  // Its index starts with the workspace, and serves single values only.
  if (slot?.kind === "unique") return undefined;
  const isServed = plan.slot !== undefined || plan.index === undefined || plan.isDirect;
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

/** Conditions on a type's records that an index decides alone, without reading rows. */
export function indexConditions(
  type: TypeSource,
  condition: Condition | undefined,
  plan: Pick<ListPlan, "slot" | "isCollated">,
): Statement[] {
  return [...typeConditions(type, plan.slot), ...slotConditions(type, condition, plan)];
}

/** The condition of a type's records in a slot's index, or in the index of ids. */
function typeConditions(type: TypeSource, slot: Slot | undefined): Statement[] {
  return [
    byDialect({
      // The indexes lack the workspace, which the type's number implies: one check replaces row
      // reads.
      sqlite: statement`exists (select 1 from object_types
        where workspace_id = ${type.workspaceId} and number = ${type.number})`,
      postgresql: statement`resources.workspace_id = ${type.workspaceId}`,
    }),
    statement`resources.type_number = ${type.number}`,
    ...(slot === undefined ? [] : [raw(`resources.${slotColumn(slot)} is not null`)]),
  ];
}

/** A reader of the scan pool, which shares its time among workspaces and stops with the caller. */
export function scannerOf(
  { scan }: Pick<Readers, "scan">,
  type: TypeSource,
  caller: ScanCaller | undefined,
): Reader {
  const share = type.workspaceId;
  return scan.with(caller === undefined ? { share } : { share, signal: caller.signal });
}

export function baseConditions(
  type: TypeSource,
  condition: Condition | undefined,
  slot: Slot | undefined,
): Statement[] {
  return [isInWorkspace(type), ...ofType(type, condition, slot)];
}

/**
 * {@link baseConditions} for a page that one index serves. PostgreSQL must not choose the index of
 * ids, which it prefers where records of several types are mixed.
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
    // It shows the engine that the slot's partial index has every matching row.
    ...(slot === undefined ? [] : [raw(`resources.${slotColumn(slot)} is not null`)]),
  ];
}

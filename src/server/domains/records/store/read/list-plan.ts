import { orderIndex, slotIndex, type Slot } from "../../../../fields/slots.ts";
import { fieldAt, isDeclared, type FieldSource } from "../../../../fields/path-fields.ts";
import { orderSlot, type SortKey } from "./sort.ts";
import { normalTest, slotTest, type SlotTest } from "../../where/compile-where.ts";
import { isNearTest } from "../../where/place-index.ts";
import type { Condition } from "../../../../database/where/condition.ts";

export interface TypeSource extends FieldSource {
  readonly workspaceId: string;
  readonly number: number;
}

/** The index that serves a filter and an order. */
export interface ListPlan {
  /** Undefined for records that are found by their ids, or by the index of places. */
  readonly index: string | undefined;
  readonly slot: Slot | undefined;
  /** The index has the order of people, which decides no filter. */
  readonly isCollated?: boolean;
  /** The plan reads few rows that are not on the page. */
  readonly isDirect: boolean;
  /** The index has its rows in the requested order. */
  readonly isOrdered: boolean;
}

export function planOf(
  type: TypeSource,
  condition: Condition | undefined,
  keys: readonly SortKey[],
): ListPlan {
  if (condition === undefined && keys.length === 1) return allByCreation;
  const tests = conjuncts(condition);
  const bySlot = tests.flatMap((test) => slotTestOf(type, test) ?? []);
  const isByTime = keys.length === 1;
  if (tests.some((test) => isIdTest(type, test))) {
    return { index: undefined, slot: undefined, isDirect: true, isOrdered: isByTime };
  }
  const unique = bySlot.find(({ slot }) => slot.kind === "unique");
  if (unique !== undefined) return withSlot(unique.slot, { isDirect: true, isOrdered: false });
  const equal = bySlot.find(({ isEquality }) => isEquality);
  if (equal === undefined && tests.some((test) => isPlaced(type, test))) {
    return { index: undefined, slot: undefined, isDirect: false, isOrdered: isByTime };
  }
  if (isByTime && equal !== undefined) {
    return withSlot(equal.slot, { isDirect: tests.length <= 1, isOrdered: true });
  }
  const ordered = orderSlot(keys);
  if (ordered?.isCollated === true && equal === undefined) {
    const { slot } = ordered;
    const isDirect = tests.length === 0;
    return { index: orderIndex(slot), slot, isCollated: true, isDirect, isOrdered: true };
  }
  if (ordered?.isCollated === false && (equal === undefined || equal.slot === ordered.slot)) {
    const isDecided = bySlot.every(({ slot }) => slot === ordered.slot);
    const isDirect = tests.length === bySlot.length && isDecided;
    return withSlot(ordered.slot, { isDirect, isOrdered: true });
  }
  const other = equal ?? bySlot[0];
  if (other !== undefined) return withSlot(other.slot, { isDirect: false, isOrdered: false });
  return byId({ isDirect: isByTime && tests.length === 0, isOrdered: isByTime });
}

/** True if index columns decide a whole filter, so that no record's data is read for it. */
export function isDecidedBySlots(type: TypeSource, condition: Condition | undefined): boolean {
  return conjuncts(condition).every((test) => slotTestOf(type, test) !== undefined);
}

/** The parts of a filter that the index column of a plan decides. */
export function slotConditions(
  type: TypeSource,
  condition: Condition | undefined,
  { slot, isCollated = false }: Pick<ListPlan, "slot" | "isCollated">,
): SlotTest["condition"][] {
  if (slot === undefined || isCollated) return [];
  return conjuncts(condition).flatMap((test) => {
    const found = slotTestOf(type, test);
    return found?.slot === slot ? [found.condition] : [];
  });
}

/** Declared properties of a filter and an order that no index serves: all records are read. */
export function unservedPaths(
  type: TypeSource,
  condition: Condition | undefined,
  keys: readonly SortKey[],
): string[] {
  const tests = conjuncts(condition);
  if (tests.some((test) => isIdTest(type, test))) return [];
  if (tests.some((test) => slotTestOf(type, test) !== undefined)) return [];
  if (tests.some((test) => isPlaced(type, test))) return [];
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

/** A plan with the index of ids, which is the order of creation. */
export function byId(serves: Pick<ListPlan, "isDirect" | "isOrdered">): ListPlan {
  return { index: "resources_by_id", slot: undefined, ...serves };
}

const allByCreation = byId({ isDirect: true, isOrdered: true });

function withSlot(slot: Slot, serves: Pick<ListPlan, "isDirect" | "isOrdered">): ListPlan {
  return { index: slotIndex(slot), slot, ...serves };
}

function conjuncts(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.kind === "and" ? condition.conditions.flatMap(conjuncts) : [condition];
}

function slotTestOf(type: TypeSource, condition: Condition): SlotTest | undefined {
  if (condition.kind !== "field") return undefined;
  return slotTest(fieldAt(type, condition.path), normalTest(type, condition.path, condition.test));
}

/** True if the index of places finds the records that may pass. */
function isPlaced(type: TypeSource, condition: Condition): boolean {
  return condition.kind === "field" && isNearTest(type, condition.test) !== undefined;
}

function isIdTest(type: TypeSource, condition: Condition): boolean {
  if (condition.kind !== "field") return false;
  const field = fieldAt(type, condition.path);
  const isId = field.kind === "column" && field.column === "id";
  return isId && (condition.test.kind === "equal" || condition.test.kind === "in");
}

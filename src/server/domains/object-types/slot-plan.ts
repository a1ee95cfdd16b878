import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { pointer, type Fault } from "#contract/problems.ts";
import { isNumeric, isReserved, slotCounts, type Slot, type SlotKind } from "../../fields/slots.ts";

type Properties = Readonly<Record<string, PropertyDefinition>>;

export interface SlotPlan {
  readonly slots: readonly Slot[];
  /** Properties for which no index column is free. */
  readonly faults: readonly Fault[];
}

export interface SlotPlanInput {
  readonly slots: readonly Slot[];
  readonly before: Properties;
  readonly after: Properties;
  /** Records may exist that a new column has no keys of. */
  readonly hasRecords: boolean;
  readonly now: Date;
  /** Unique properties whose column is already filled. */
  readonly filled?: ReadonlySet<string>;
}

/** Assigns index columns to properties after a change of the definition. */
export function planSlots(input: SlotPlanInput): SlotPlan {
  const { before, after, hasRecords, now, filled = new Set() } = input;
  const required = requiredSlots(after);
  const kept: Slot[] = [];
  for (const slot of input.slots) {
    const isRequired =
      slot.state !== "clearing" &&
      required.some(({ property, kind }) => property === slot.property && kind === slot.kind) &&
      // A unique key contains the kind of its value.
      (slot.kind === "unique" || areKeysKept(before[slot.property], after[slot.property]));
    if (isRequired) {
      const { reservedUntil: _reserved, ...plain } = slot;
      const isFilled = slot.kind === "unique" && filled.has(slot.property);
      kept.push(isFilled ? { ...plain, state: "ready" } : plain);
    } else if (isReserved(slot, now)) kept.push(slot);
    else if (hasRecords) kept.push({ ...slot, state: "clearing" });
  }
  const faults: Fault[] = [];
  for (const { property, kind } of required) {
    const has = kept.some(
      (slot) => slot.property === property && slot.kind === kind && slot.state !== "clearing",
    );
    if (has) continue;
    const number = freeNumber(kept, kind);
    if (number === undefined) faults.push(noneLeft(property, kind));
    else kept.push({ property, kind, number, state: hasRecords ? "building" : "ready" });
  }
  return { slots: kept, faults };
}

/** Assigns columns to properties that become unique, to be filled before the definition changes. */
export function reserveUnique(
  slots: readonly Slot[],
  properties: readonly string[],
  reservedUntil: Date | undefined,
): SlotPlan {
  const reservation =
    reservedUntil === undefined ? {} : { reservedUntil: reservedUntil.toISOString() };
  const kept = [...slots];
  const faults: Fault[] = [];
  for (const property of properties) {
    const number = freeNumber(kept, "unique");
    if (number === undefined) faults.push(noneLeft(property, "unique"));
    else kept.push({ property, kind: "unique", number, state: "building", ...reservation });
  }
  return { slots: kept, faults };
}

function requiredSlots(properties: Properties): { property: string; kind: SlotKind }[] {
  return Object.entries(properties).flatMap(([property, definition]) => [
    ...(definition.indexed === true
      ? [{ property, kind: isNumeric(definition) ? ("number" as const) : ("text" as const) }]
      : []),
    ...(definition.unique === true ? [{ property, kind: "unique" as const }] : []),
  ]);
}

/** True if stored keys are still the keys of the property's values. */
function areKeysKept(
  before: PropertyDefinition | undefined,
  after: PropertyDefinition | undefined,
): boolean {
  if (before === undefined || after === undefined) return false;
  return keyKind(before) === keyKind(after);
}

function keyKind(property: PropertyDefinition): string {
  return property.type === "boolean" ? "flag" : isNumeric(property) ? "number" : "text";
}

function freeNumber(slots: readonly Slot[], kind: SlotKind): number | undefined {
  const taken = new Set(slots.filter((slot) => slot.kind === kind).map((slot) => slot.number));
  for (let number = 1; number <= slotCounts[kind]; number += 1) {
    if (!taken.has(number)) return number;
  }
  return undefined;
}

const kindNames: Readonly<Record<SlotKind, string>> = {
  text: "indexed properties that hold text",
  number: "indexed properties that hold numbers",
  unique: "unique properties",
};

function noneLeft(property: string, kind: SlotKind): Fault {
  return {
    pointer: pointer("properties", property, kind === "unique" ? "unique" : "indexed"),
    detail: `is one too many: a type has at most ${slotCounts[kind]} ${kindNames[kind]}`,
  };
}

import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";

/**
 * A slot is one of a fixed number of index columns, assigned to a property of a type. Each column
 * has one database index for all types, led by the type's number. With an expression index per
 * property, 1,000 of them made a create take 1.7 ms on SQLite and 3,000 18 ms; these 28 columns
 * take 2 µs and need no schema change.
 */
export type SlotKind = "text" | "number" | "unique";

export const slotCounts: Readonly<Record<SlotKind, number>> = { text: 16, number: 8, unique: 4 };

/** `building`: written but not complete; `clearing`: released but not empty. */
export type SlotState = "ready" | "building" | "clearing";

export interface Slot {
  readonly property: string;
  readonly kind: SlotKind;
  /** Its number among the columns of its kind, from 1. */
  readonly number: number;
  readonly state: SlotState;
  /** Until this time (ISO) only one process fills the column, for a change of definition. */
  readonly reservedUntil?: string;
}

/** True if a process is still filling the slot for a change of definition. */
export function isReserved({ state, reservedUntil }: Slot, now: Date): boolean {
  return state === "building" && reservedUntil !== undefined && reservedUntil > now.toISOString();
}

const prefixes: Readonly<Record<SlotKind, string>> = { text: "t", number: "n", unique: "u" };

/** The column of a slot, like `t3`. */
export function slotColumn(slot: { readonly kind: SlotKind; readonly number: number }): string {
  return `${prefixes[slot.kind]}${slot.number}`;
}

export function slotIndex(slot: { readonly kind: SlotKind; readonly number: number }): string {
  return `resources_${slotColumn(slot)}`;
}

/** The index of a text slot in the order of people. */
export function orderIndex({ number }: Pick<Slot, "number">): string {
  return `resources_o${number}`;
}

export const slotColumns: readonly { readonly kind: SlotKind; readonly number: number }[] = (
  ["text", "number", "unique"] as const
).flatMap((kind) =>
  Array.from({ length: slotCounts[kind] }, (_, index) => ({ kind, number: index + 1 })),
);

/** The key of a record without a value: before every value, never null. */
export const noText = "";
export const noNumber = -Number.MAX_VALUE;

/** True if a property's values are compared as numbers; all others are compared as text. */
export function isNumeric(property: PropertyDefinition): boolean {
  if (property.type === "integer" || property.type === "number") return true;
  return property.type === "enum" && typeof property.enum?.[0] === "number";
}

/** A text's key; the mark sorts even empty text after a missing value. */
export function textKey(value: string | boolean): string {
  return `=${value}`;
}

/** A unique key; the mark keeps texts, numbers and flags apart. */
export function uniqueKey(value: string | number | boolean): string {
  return `${typeof value === "string" ? "=" : typeof value === "number" ? "#" : "?"}${value}`;
}

/** The key of a value in a slot; null only in a unique slot without a value. */
function slotKey(slot: Slot, isNumber: boolean, value: unknown): string | number | null {
  if (slot.kind === "number") return typeof value === "number" ? value : noNumber;
  const isOwnKind = isNumber
    ? typeof value === "number"
    : typeof value === "string" || typeof value === "boolean";
  if (slot.kind === "unique")
    return isOwnKind ? uniqueKey(value as string | number | boolean) : null;
  return isOwnKind && typeof value !== "number" ? textKey(value as string | boolean) : noText;
}

export interface SlotColumn {
  readonly slot: Slot;
  readonly column: string;
  readonly isNumber: boolean;
}

/** The columns that a write of this type fills, in a fixed order. */
export function writtenColumns(
  slots: readonly Slot[],
  properties: Readonly<Record<string, PropertyDefinition>>,
): SlotColumn[] {
  return slots
    .filter((slot) => slot.state !== "clearing")
    .map((slot) => {
      const property = properties[slot.property];
      return {
        slot,
        column: slotColumn(slot),
        isNumber: property !== undefined && isNumeric(property),
      };
    })
    .toSorted((left, right) => (left.column < right.column ? -1 : 1));
}

/** The values of a record's data that these columns index, as the data has them. */
export function indexedValues(columns: readonly SlotColumn[], data: JsonObject): JsonObject {
  const values: JsonObject = {};
  for (const { slot } of columns) {
    const value = ownMember(data, slot.property);
    if (value !== undefined && value !== null) values[slot.property] = value;
  }
  return values;
}

/** The keys of a record's data for these columns, in their order. */
export function keysOf(
  columns: readonly SlotColumn[],
  data: JsonObject,
): (string | number | null)[] {
  return columns.map(({ slot, isNumber }) =>
    slotKey(slot, isNumber, ownMember(data, slot.property)),
  );
}

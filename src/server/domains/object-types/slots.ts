import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";

/**
 * Index columns. Every Object Type may have its indexed properties in some of a fixed number of
 * columns, each of which has one database index for all types, led by the type's number.
 *
 * Why not one expression index for each property: SQLite looks at every partial index of a table on
 * every insert. 1,000 of them (a hundred workspaces with ten indexed properties each) made a create
 * cost 1.7 ms and 3,000 made it 18 ms, where these 28 columns cost 2 µs; PostgreSQL opens each of
 * them as well. A new index also needs no schema change and is filled while writes go on.
 */
export type SlotKind = "text" | "number" | "unique";

export const slotCounts: Readonly<Record<SlotKind, number>> = { text: 16, number: 8, unique: 4 };

/** `building`: written but not yet complete; `clearing`: given up, and not yet empty. */
export type SlotState = "ready" | "building" | "clearing";

export interface Slot {
  readonly property: string;
  readonly kind: SlotKind;
  /** From 1. */
  readonly number: number;
  readonly state: SlotState;
  /**
   * Until then (ISO) a process is filling the column ahead of the change of definition that wants
   * it: other processes on the same database leave it alone.
   */
  readonly reservedUntil?: string;
}

/** Whether somebody is still filling the slot for a definition that is yet to come. */
export function isReserved({ state, reservedUntil }: Slot, now: Date): boolean {
  return state === "building" && reservedUntil !== undefined && reservedUntil > now.toISOString();
}

const prefixes: Readonly<Record<SlotKind, string>> = { text: "t", number: "n", unique: "u" };

/** The index column of a slot, as in `t3`. */
export function slotColumn(slot: { readonly kind: SlotKind; readonly number: number }): string {
  return `${prefixes[slot.kind]}${slot.number}`;
}

/** The name of the index on a slot's column. */
export function slotIndex(slot: { readonly kind: SlotKind; readonly number: number }): string {
  return `resources_${slotColumn(slot)}`;
}

/** All index columns in their order. */
export const slotColumns: readonly { readonly kind: SlotKind; readonly number: number }[] = (
  ["text", "number", "unique"] as const
).flatMap((kind) =>
  Array.from({ length: slotCounts[kind] }, (_, index) => ({ kind, number: index + 1 })),
);

/** What stands in a slot for a record that has no value there: before every value, never null. */
export const noText = "";
export const noNumber = -Number.MAX_VALUE;

/** Whether a property's values are compared as numbers; all others are compared as text. */
export function isNumeric(property: PropertyDefinition): boolean {
  if (property.type === "integer" || property.type === "number") return true;
  return property.type === "enum" && typeof property.enum?.[0] === "number";
}

/** Text in its slot; the mark keeps even empty text behind a missing one. */
export function textKey(value: string | boolean): string {
  return `=${value}`;
}

/** A value in a unique slot, where texts, numbers and flags must not meet. */
export function uniqueKey(value: string | number | boolean): string {
  return `${typeof value === "string" ? "=" : typeof value === "number" ? "#" : "?"}${value}`;
}

/** What a record's value is in a slot; null is only for a unique slot without a value. */
function slotKey(slot: Slot, isNumber: boolean, value: unknown): string | number | null {
  if (slot.kind === "number") return typeof value === "number" ? value : noNumber;
  const fits = isNumber
    ? typeof value === "number"
    : typeof value === "string" || typeof value === "boolean";
  if (slot.kind === "unique") return fits ? uniqueKey(value as string | number | boolean) : null;
  return fits && typeof value !== "number" ? textKey(value as string | boolean) : noText;
}

/** One indexed property of a compiled type, ready to compute keys. */
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

/** What a record's data puts into these columns, in their order. */
export function keysOf(
  columns: readonly SlotColumn[],
  data: JsonObject,
): (string | number | null)[] {
  return columns.map(({ slot, isNumber }) =>
    slotKey(slot, isNumber, ownMember(data, slot.property)),
  );
}

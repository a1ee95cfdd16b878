import type { JsonKind } from "../dialect.ts";

/** A parsed filter, with nothing left to refuse. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "field"; readonly path: readonly string[]; readonly test: FieldTest };

export type Comparison = ">" | ">=" | "<" | "<=";

/**
 * A test of one field. A list passes when one of its items passes, except for `size` and `element`,
 * which test the list itself.
 */
export type FieldTest =
  | { readonly kind: "equal"; readonly value: unknown }
  | { readonly kind: "compare"; readonly operator: Comparison; readonly value: ComparableValue }
  | { readonly kind: "in"; readonly values: readonly unknown[] }
  | { readonly kind: "exists" }
  | { readonly kind: "pattern"; readonly source: string; readonly flags: string }
  | { readonly kind: "contains" | "starts-with"; readonly text: string }
  | { readonly kind: "near"; readonly near: Near; readonly values?: PlacedValues }
  | WithinTest
  | { readonly kind: "size"; readonly length: number }
  | RemainderTest
  | { readonly kind: "type"; readonly kinds: readonly JsonKind[] }
  | ElementTest;

/**
 * True if the integer part of a number, divided, leaves this remainder with the number's own sign.
 * Numbers beyond 64-bit integers fail. Both members are safe integers, the divisor not 0.
 */
export interface RemainderTest {
  readonly kind: "remainder";
  readonly divisor: number;
  readonly remainder: number;
}

/** A value is wholly within the area, or has a point in common with it. */
export interface WithinTest {
  readonly kind: "within";
  readonly area: Area;
  readonly relation: "within" | "intersects";
  readonly values?: PlacedValues;
}

/** The values of a field that a test of places reads: points only, or any geometries. */
export type PlacedValues = "points" | "geometries";

/**
 * True if one item of a list passes the whole condition. The condition's paths begin at the item,
 * whose own path is empty.
 */
export interface ElementTest {
  readonly kind: "element";
  readonly condition: Condition;
  /** The item must be an object. */
  readonly isObject: boolean;
}

export type ComparableValue = string | number | boolean | null;

/** Longitude and latitude in degrees (WGS 84), as in GeoJSON. */
export type Position = readonly [longitude: number, latitude: number];

export interface Near {
  readonly center: Position;
  readonly maximumMetres: number;
  readonly minimumMetres: number;
}

export type Area =
  | { readonly kind: "box"; readonly southWest: Position; readonly northEast: Position }
  | { readonly kind: "circle"; readonly near: Near }
  /** A ring whose last position is followed by its first. */
  | { readonly kind: "polygon"; readonly ring: readonly Position[] }
  /** A circle on a flat map, its radius in degrees. */
  | { readonly kind: "flat-circle"; readonly center: Position; readonly degrees: number }
  | { readonly kind: "points"; readonly positions: readonly Position[] }
  /** Lines that may go on after 180 degrees. */
  | { readonly kind: "lines"; readonly lines: readonly (readonly Position[])[] }
  | { readonly kind: "any"; readonly areas: readonly Area[] }
  | { readonly kind: "with-holes"; readonly area: Area; readonly holes: readonly Area[] };

/** The condition that all of these hold; undefined for none. */
export function all(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length <= 1 ? conditions[0] : { kind: "and", conditions };
}

export function hasTest(condition: Condition | undefined, kind: FieldTest["kind"]): boolean {
  switch (condition?.kind) {
    case undefined:
      return false;
    case "field":
      return condition.test.kind === kind;
    case "not":
      return hasTest(condition.condition, kind);
    case "and":
    case "or":
      return condition.conditions.some((part) => hasTest(part, kind));
  }
}

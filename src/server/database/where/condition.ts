import type { JsonKind } from "../dialect.ts";

/** A filter after parsing: what is asked of a record, with nothing left that could be refused. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "field"; readonly path: readonly string[]; readonly test: FieldTest };

export type Comparison = ">" | ">=" | "<" | "<=";

/**
 * What is asked of one field. On a list it holds when it holds for one of its items, but for `size`
 * and `element`, which ask of the list itself.
 */
export type FieldTest =
  | { readonly kind: "equal"; readonly value: unknown }
  | { readonly kind: "compare"; readonly operator: Comparison; readonly value: ComparableValue }
  | { readonly kind: "in"; readonly values: readonly unknown[] }
  | { readonly kind: "exists" }
  | { readonly kind: "pattern"; readonly source: string; readonly flags: string }
  | { readonly kind: "contains" | "starts-with"; readonly text: string }
  | { readonly kind: "near"; readonly near: Near }
  | { readonly kind: "within"; readonly area: Area }
  | { readonly kind: "size"; readonly length: number }
  | RemainderTest
  | { readonly kind: "type"; readonly kinds: readonly JsonKind[] }
  | ElementTest;

/**
 * Whether a number, cut to a whole one, leaves this rest, which has the number's own sign; what no
 * 64-bit integer holds does not. Both are safe integers, the divisor not 0.
 */
export interface RemainderTest {
  readonly kind: "remainder";
  readonly divisor: number;
  readonly remainder: number;
}

/**
 * Whether one item of a list passes by itself, as an object where `isObject` says so. The paths of
 * its condition begin at the item, which is the empty one.
 */
export interface ElementTest {
  readonly kind: "element";
  readonly condition: Condition;
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
  /** A ring whose last position leads back to the first. */
  | { readonly kind: "polygon"; readonly ring: readonly Position[] };

import { CrowdedEdgesError } from "./edges.ts";
import { partsOf, type Geometry } from "./geometry.ts";
import { atOnce, type Stepwise } from "../time/stepwise.ts";
import { ClippingError, repair } from "./repair.ts";
import { polygonCheck } from "./ring-faults.ts";
import { ShapeCheck, type GeometryFault } from "./shape-faults.ts";

export type { GeometryFault } from "./shape-faults.ts";

export type GeometryReading =
  | {
      /** Null for a geometry of which a repair has left nothing. */
      readonly geometry: Geometry | null;
      readonly isRepaired: boolean;
      readonly faults?: undefined;
    }
  | { readonly faults: readonly GeometryFault[] };

export interface GeometryReadingOptions {
  /** Mends a geometry where there is one obvious way; it has faults only where there is none. */
  readonly repair?: boolean;
  /** Lets rings cross: their inside is that of even and odd crossings. */
  readonly keep?: boolean;
}

/** {@link geometryReading} without pauses, which takes 3 us for each position of an area. */
export function readGeometry(value: unknown, options?: GeometryReadingOptions): GeometryReading {
  return atOnce(geometryReading(value, options));
}

/**
 * Reads a geometry of GeoJSON. Without options, it has faults where it is not valid (RFC 7946, and
 * rings that do not cross); either direction of a ring is accepted.
 */
export function* geometryReading(
  value: unknown,
  { repair: isRepaired = false, keep = false }: GeometryReadingOptions = {},
): Stepwise<GeometryReading> {
  const shaped = shapeOf(value, isRepaired);
  if (shaped.faults !== undefined) return shaped;
  yield;
  const { geometry } = shaped;
  if (isRepaired) return yield* repairReading(geometry);
  const fault = keep ? undefined : yield* areaCheck(geometry);
  return fault === undefined ? { geometry, isRepaired: false } : { faults: [fault] };
}

/** A geometry whose members are as RFC 7946 says; {@link areaCheck} has the rest of a check. */
export function shapeOf(
  value: unknown,
  isRepairable = false,
):
  | { readonly geometry: Geometry; readonly faults?: undefined }
  | { readonly faults: readonly GeometryFault[] } {
  const check = new ShapeCheck(isRepairable);
  check.geometry(value, []);
  return isChecked(value, check) ? { geometry: value } : { faults: check.faults };
}

function* repairReading(value: Geometry): Stepwise<GeometryReading> {
  try {
    const geometry = yield* repair(value);
    return { geometry, isRepaired: JSON.stringify(geometry) !== JSON.stringify(value) };
  } catch (error) {
    const isTooLarge = error instanceof ClippingError || error instanceof CrowdedEdgesError;
    // The library gives up on rings that cross very near to each other.
    const reason = isTooLarge
      ? "rings are too long or cross too often: simplify it first"
      : "rings cross too near to each other";
    const detail = `cannot be repaired, because its ${reason}`;
    return { faults: [{ path: ["coordinates"], detail }] };
  }
}

/** The check has looked at each member. */
function isChecked(value: unknown, { faults }: ShapeCheck): value is Geometry {
  return typeof value === "object" && faults.length === 0;
}

/** Finds the first fault of the areas of a geometry: rings that cross, and holes outside. */
export function* areaCheck(
  geometry: Geometry,
  path: GeometryFault["path"] = [],
): Stepwise<GeometryFault | undefined> {
  if (geometry.type === "GeometryCollection") {
    for (const [index, each] of geometry.geometries.entries()) {
      const fault = yield* areaCheck(each, [...path, "geometries", index]);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  const isMany = geometry.type === "MultiPolygon";
  for (const [index, rings] of partsOf(geometry).polygons.entries()) {
    const fault = yield* polygonCheck(rings);
    if (fault === undefined) continue;
    const place = isMany ? [...path, "coordinates", index] : [...path, "coordinates"];
    return { ...fault, path: [...place, ...fault.path] };
  }
  return undefined;
}

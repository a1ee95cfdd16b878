import { CrowdedEdgesError } from "./edges.ts";
import { partsOf, type Geometry } from "./geometry.ts";
import { ClippingError, repairedGeometry } from "./repair.ts";
import { polygonFault } from "./ring-faults.ts";
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

/**
 * Reads a geometry of GeoJSON. Without `repair`, it has faults where it is not valid (RFC 7946, and
 * rings that do not cross); either direction of a ring is accepted. With `repair`, the geometry is
 * mended where there is one obvious way, and has faults only where there is none. With `keep`,
 * rings may cross: their inside is that of even and odd crossings.
 */
export function readGeometry(
  value: unknown,
  { repair = false, keep = false } = {},
): GeometryReading {
  const check = new ShapeCheck(repair);
  check.geometry(value, []);
  if (!isChecked(value, check)) return { faults: check.faults };
  if (repair) return repairReading(value);
  const fault = keep ? undefined : faultOfAreas(value, []);
  if (fault !== undefined) return { faults: [fault] };
  return { geometry: value, isRepaired: false };
}

function repairReading(value: Geometry): GeometryReading {
  try {
    const geometry = repairedGeometry(value);
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

function faultOfAreas(geometry: Geometry, path: GeometryFault["path"]): GeometryFault | undefined {
  if (geometry.type === "GeometryCollection") {
    for (const [index, each] of geometry.geometries.entries()) {
      const fault = faultOfAreas(each, [...path, "geometries", index]);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  const isMany = geometry.type === "MultiPolygon";
  for (const [index, rings] of partsOf(geometry).polygons.entries()) {
    const fault = polygonFault(rings);
    if (fault === undefined) continue;
    const place = isMany ? [...path, "coordinates", index] : [...path, "coordinates"];
    return { ...fault, path: [...place, ...fault.path] };
  }
  return undefined;
}

import { isJsonObject } from "#lib/json/value.ts";
import type { GeometryFault } from "#lib/geometry/shape-faults.ts";
import type { Geometry } from "#lib/geometry/geometry.ts";
import { areaCheck, shapeOf } from "#lib/geometry/read-geometry.ts";
import type { Stepwise } from "#lib/time/stepwise.ts";
import type { Check, Place } from "./record-run.ts";

/** A GeoJSON point (RFC 7946, 3.1.2): longitude, latitude and optional altitude. */
export const geopointCheck: Check = (value, place, run) => {
  const notAPoint = 'must be a point, as {"type":"Point","coordinates":[longitude,latitude]}';
  if (!isJsonObject(value) || value["type"] !== "Point") return run.fault(place, notAPoint);
  const { coordinates } = value;
  if (!Array.isArray(coordinates) || coordinates.length < 2 || coordinates.length > 3) {
    return run.fault(place, notAPoint);
  }
  if (Object.keys(value).length !== 2) return run.fault(place, notAPoint);
  const numbers: number[] = [];
  for (const [index, limit] of [180, 90, 1e7].slice(0, coordinates.length).entries()) {
    const number: unknown = coordinates[index];
    if (typeof number !== "number" || !(Math.abs(number) <= limit)) {
      const at = { parent: { parent: place, key: "coordinates" }, key: index };
      return run.fault(at, `must be a number from -${limit} to ${limit}`);
    }
    numbers.push(number === 0 ? 0 : number);
  }
  return { type: "Point", coordinates: numbers };
};

/** A geometry of GeoJSON (RFC 7946, 3.1) with rings that do not cross, and no other members. */
export const geometryCheck: Check = (value, place, run) => {
  const { geometry, faults } = shaped(value);
  for (const { path, detail } of faults) run.fault(placeOf(place, path), detail);
  if (geometry === undefined || faults.length > 0) return undefined;
  run.test(checkedAreas(geometry, ({ path, detail }) => run.fault(placeOf(place, path), detail)));
  return stored(geometry);
};

function shaped(value: unknown) {
  const { geometry, faults } = { geometry: undefined, ...shapeOf(value) };
  return {
    geometry,
    faults: faults ?? (geometry === undefined ? [] : foreignMembers(geometry, [])),
  };
}

function* checkedAreas(geometry: Geometry, fail: (fault: GeometryFault) => void): Stepwise<void> {
  const fault = yield* areaCheck(geometry);
  if (fault !== undefined) fail(fault);
}

function foreignMembers(geometry: Geometry, path: GeometryFault["path"]): GeometryFault[] {
  const inner = geometry.type === "GeometryCollection" ? "geometries" : "coordinates";
  const foreign = Object.keys(geometry)
    .filter((name) => name !== "type" && name !== inner)
    .map((name) => ({ path: [...path, name], detail: "is not a member of a geometry here" }));
  const members = geometry.type === "GeometryCollection" ? geometry.geometries : [];
  return [
    ...foreign,
    ...members.flatMap((each, index) => foreignMembers(each, [...path, "geometries", index])),
  ];
}

/** A copy to store, in which no number is -0. */
function stored(geometry: Geometry): Readonly<Record<string, unknown>> {
  if (geometry.type !== "GeometryCollection") {
    return { type: geometry.type, coordinates: withoutNegativeZero(geometry.coordinates) };
  }
  return { type: geometry.type, geometries: geometry.geometries.map(stored) };
}

function withoutNegativeZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  return value === 0 ? 0 : value;
}

function placeOf(place: Place, path: GeometryFault["path"]): Place {
  return path.reduce<Place>((parent, key) => ({ parent, key }), place);
}

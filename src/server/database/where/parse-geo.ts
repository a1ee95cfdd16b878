import type { Area, Near, Position, WithinTest } from "./condition.ts";

/** The fault of a `$near` or `$within` operand. */
export class GeoFault extends Error {
  override readonly name = "GeoFault";
}

/** Mean radius of the Earth in metres, as in MongoDB's `$centerSphere`. */
export const earthMetres = 6_378_100;
const maximumRing = 1000;
const maximumParts = 100;
/** No two places of the Earth are farther from each other. */
const farthestMetres = Math.ceil(Math.PI * earthMetres);

/** `{ "$geometry": <Point>, "$maxDistance"?: metres, "$minDistance"?: metres }`. */
export function parseNear(operand: unknown): Near {
  const members = membersOf(operand, ["$geometry", "$maxDistance", "$minDistance"]);
  const { coordinates } = geometry(members["$geometry"], ["Point"]);
  const { $maxDistance: maximum, $minDistance: minimum } = members;
  return {
    center: position(coordinates),
    maximumMetres: maximum === undefined ? farthestMetres : metres(maximum, "$maxDistance"),
    minimumMetres: minimum === undefined ? 0 : metres(minimum, "$minDistance"),
  };
}

/**
 * One of `$box`, `$center`, `$centerSphere`, `$polygon` and `$geometry`, a Polygon or MultiPolygon
 * of GeoJSON, which may have holes.
 */
export function parseWithin(operand: unknown): WithinTest {
  return { kind: "within", relation: "within", area: withinArea(operand) };
}

function withinArea(operand: unknown): Area {
  const shapes = ["$box", "$center", "$centerSphere", "$polygon", "$geometry"];
  const members = membersOf(operand, shapes);
  const [shape, ...others] = Object.entries(members);
  if (shape === undefined || others.length > 0) {
    throw new GeoFault("needs one of $box, $center, $centerSphere, $polygon or $geometry");
  }
  const [name, value] = shape;
  switch (name) {
    case "$box": {
      const [southWest, northEast, more] = list(value).map(position);
      if (southWest === undefined || northEast === undefined || more !== undefined) {
        throw new GeoFault("needs two corners in $box: [[west, south], [east, north]]");
      }
      return { kind: "box", southWest, northEast };
    }
    case "$center": {
      const { center, radius } = circle(value, "degrees in $center");
      return { kind: "flat-circle", center, degrees: radius };
    }
    case "$centerSphere": {
      const { center, radius } = circle(value, "radians in $centerSphere");
      const near = { center, minimumMetres: 0, maximumMetres: radius * earthMetres };
      return { kind: "circle", near };
    }
    case "$polygon":
      return { kind: "polygon", ring: turned(ringOf(list(value))) };
    default:
      return areaOf(value, ["Polygon", "MultiPolygon"]);
  }
}

/** `{ "$geometry": … }`: a value has a point in common with a geometry of GeoJSON. */
export function parseIntersects(operand: unknown): WithinTest {
  const { $geometry } = membersOf(operand, ["$geometry"]);
  return { kind: "within", relation: "intersects", area: areaOf($geometry, geometryTypes) };
}

const geometryTypes =
  "Point MultiPoint LineString MultiLineString Polygon MultiPolygon GeometryCollection".split(" ");

function areaOf(value: unknown, types: readonly string[], isInner = false): Area {
  const { type, coordinates } = geometry(value, types);
  switch (type) {
    case "Point":
      return { kind: "points", positions: [position(coordinates)] };
    case "MultiPoint":
      return { kind: "points", positions: some(coordinates).map(position) };
    case "LineString":
      return { kind: "lines", lines: [line(coordinates)] };
    case "MultiLineString":
      return { kind: "lines", lines: some(coordinates).map(line) };
    case "Polygon":
      return polygon(coordinates);
    case "MultiPolygon":
      return { kind: "any", areas: some(coordinates).map(polygon) };
    default:
      if (isInner) throw new GeoFault("takes no GeometryCollection inside of another one");
      return { kind: "any", areas: some(coordinates).map((each) => areaOf(each, types, true)) };
  }
}

function line(value: unknown): readonly Position[] {
  const positions = list(value);
  if (positions.length < 2 || positions.length > maximumRing) {
    throw new GeoFault(`needs 2 to ${maximumRing} positions in a line`);
  }
  let turn = 0;
  let before: number | undefined;
  return positions.map((each) => {
    const [longitude, latitude] = position(each);
    const step = longitude - (before ?? longitude);
    // A side of more than 180 degrees goes the shorter way, as in MongoDB.
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    before = longitude;
    return [longitude + turn, latitude] as const;
  });
}

function polygon(coordinates: unknown): Area {
  const [area, ...holes] = some(coordinates).map((ring): Area => {
    return { kind: "polygon", ring: turned(unwrapped(ringOf(list(ring)))) };
  });
  if (area === undefined) throw new GeoFault("needs at least one ring in a polygon");
  return holes.length === 0 ? area : { kind: "with-holes", area, holes };
}

function circle(value: unknown, unit: string): { center: Position; radius: number } {
  const [center, radius, more] = list(value);
  if (more !== undefined || typeof radius !== "number" || !(radius >= 0)) {
    throw new GeoFault(`needs [[longitude, latitude], radius], the radius as ${unit}`);
  }
  return { center: position(center), radius };
}

/** A list with one item or more, and at most a hundred: each is a part of the SQL. */
function some(value: unknown): readonly unknown[] {
  const items = list(value);
  if (items.length === 0 || items.length > maximumParts) {
    throw new GeoFault(`needs 1 to ${maximumParts} parts in coordinates`);
  }
  return items;
}

function ringOf(positions: readonly unknown[]): Position[] {
  if (positions.length > maximumRing) {
    throw new GeoFault(`takes at most ${maximumRing} positions`);
  }
  const ring = positions.map(corner);
  const [first] = ring;
  const last = ring.at(-1);
  if (first !== undefined && last !== undefined && String(first) === String(last)) ring.pop();
  if (ring.length < 3) throw new GeoFault("needs at least three positions in a polygon");
  return ring;
}

/**
 * A GeoJSON ring with longitudes that go on after 180, so that it is flat, also across the
 * antimeridian: a side of more than 180 degrees goes the shorter way, as in MongoDB. One of 360
 * degrees has its ends at the same place and stays a side of the map.
 */
function unwrapped(ring: readonly Position[]): readonly Position[] {
  if (ring.some(([longitude]) => Math.abs(longitude) > 180)) return ring;
  const turns = ring.map(([longitude], index) => {
    const step = longitude - (ring.at(index - 1)?.[0] ?? longitude);
    return Math.abs(step) > 180 && Math.abs(step) < 360 ? -360 * Math.sign(step) : 0;
  });
  if (turns.reduce((sum, turn) => sum + turn, 0) !== 0) {
    throw new GeoFault("takes no Polygon around a pole");
  }
  let turn = 0;
  return ring.map(([longitude, latitude], index) => {
    // The first position has the longitude that is given.
    turn += index === 0 ? 0 : (turns[index] ?? 0);
    return [longitude + turn, latitude];
  });
}

/** The ring with its west end from -180 to 180. */
function turned(ring: readonly Position[]): Position[] {
  const longitudes = ring.map(([longitude]) => longitude);
  const west = Math.min(...longitudes);
  if (Math.max(...longitudes) - west > 360) {
    throw new GeoFault("takes no polygon of more than 360 degrees");
  }
  const turn = west < -180 ? 360 : west > 180 ? -360 : 0;
  return ring.map(([longitude, latitude]) => [longitude + turn, latitude]);
}

function membersOf(operand: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof operand !== "object" || operand === null || Array.isArray(operand)) {
    throw new GeoFault(`must be an object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(operand).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new GeoFault(`does not know ${JSON.stringify(unknown)}`);
  return Object.fromEntries(Object.entries(operand));
}

function geometry(
  value: unknown,
  types: readonly string[],
): { readonly type: string; readonly coordinates: unknown } {
  if (typeof value === "object" && value !== null && "type" in value) {
    const { type } = value;
    const inner = type === "GeometryCollection" ? "geometries" : "coordinates";
    const coordinates: unknown = Object.entries(value).find(([name]) => name === inner)?.[1];
    const isKnown = typeof type === "string" && types.includes(type);
    if (isKnown && coordinates !== undefined) return { type, coordinates };
  }
  throw new GeoFault(`needs a GeoJSON ${types.join(" or ")} in $geometry`);
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new GeoFault("needs a list of positions");
  return value;
}

function position(value: unknown): Position {
  return positionWithin(value, 180);
}

/** A position of a ring, which may go on after the antimeridian: `[190, 0]` is `[-170, 0]`. */
function corner(value: unknown): Position {
  return positionWithin(value, 360);
}

function positionWithin(value: unknown, maximumLongitude: number): Position {
  if (Array.isArray(value) && value.length === 2) {
    const longitude: unknown = value[0];
    const latitude: unknown = value[1];
    if (typeof longitude === "number" && typeof latitude === "number") {
      if (Math.abs(longitude) <= maximumLongitude && Math.abs(latitude) <= 90) {
        return [longitude, latitude];
      }
    }
  }
  throw new GeoFault("needs positions as [longitude, latitude] in degrees");
}

function metres(value: unknown, name: string): number {
  if (typeof value === "number" && value >= 0 && value <= 1e9) return value;
  throw new GeoFault(`needs metres in ${name}, not less than 0`);
}

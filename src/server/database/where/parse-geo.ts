import type { Area, Near, Position } from "./condition.ts";

/** The fault of a `$near` or `$within` operand. */
export class GeoFault extends Error {
  override readonly name = "GeoFault";
}

/** Mean radius of the Earth in metres, as in MongoDB's `$centerSphere`. */
export const earthMetres = 6_378_100;
const maximumRing = 1000;

/** `{ "$geometry": <Point>, "$maxDistance": metres, "$minDistance"?: metres }`. */
export function parseNear(operand: unknown): Near {
  const members = membersOf(operand, ["$geometry", "$maxDistance", "$minDistance"]);
  const point = geometry(members["$geometry"], "Point");
  const maximumMetres = metres(members["$maxDistance"], "$maxDistance");
  const minimum = members["$minDistance"];
  return {
    center: position(point),
    maximumMetres,
    minimumMetres: minimum === undefined ? 0 : metres(minimum, "$minDistance"),
  };
}

/** `$box`, `$centerSphere`, `$polygon`, or a `$geometry` that is a Polygon with one ring. */
export function parseWithin(operand: unknown): Area {
  const members = membersOf(operand, ["$box", "$centerSphere", "$polygon", "$geometry"]);
  const [shape, ...others] = Object.entries(members);
  if (shape === undefined || others.length > 0) {
    throw new GeoFault("needs one of $box, $centerSphere, $polygon or $geometry");
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
    case "$centerSphere": {
      const [center, radians, more] = list(value);
      if (more !== undefined || typeof radians !== "number" || !(radians >= 0)) {
        throw new GeoFault("needs [[longitude, latitude], radians] in $centerSphere");
      }
      const near = { center: position(center), minimumMetres: 0 };
      return { kind: "circle", near: { ...near, maximumMetres: radians * earthMetres } };
    }
    case "$polygon":
      return { kind: "polygon", ring: turned(ringOf(list(value))) };
    default: {
      const [ring, hole] = list(geometry(value, "Polygon"));
      if (hole !== undefined) throw new GeoFault("takes a Polygon without holes");
      return { kind: "polygon", ring: turned(unwrapped(ringOf(list(ring)))) };
    }
  }
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

function geometry(value: unknown, type: string): unknown {
  if (typeof value === "object" && value !== null && "type" in value && "coordinates" in value) {
    if (value.type === type) return value.coordinates;
  }
  throw new GeoFault(`needs a GeoJSON ${type} in $geometry`);
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

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
      return polygon(list(value));
    default: {
      const [ring, hole] = list(geometry(value, "Polygon"));
      if (hole !== undefined) throw new GeoFault("takes a Polygon without holes");
      return polygon(list(ring));
    }
  }
}

function polygon(positions: readonly unknown[]): Area {
  if (positions.length > maximumRing) {
    throw new GeoFault(`takes at most ${maximumRing} positions`);
  }
  const ring = positions.map(position);
  const [first] = ring;
  const last = ring.at(-1);
  if (first !== undefined && last !== undefined && String(first) === String(last)) ring.pop();
  if (ring.length < 3) throw new GeoFault("needs at least three positions in a polygon");
  return { kind: "polygon", ring };
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
  if (Array.isArray(value) && value.length === 2) {
    const longitude: unknown = value[0];
    const latitude: unknown = value[1];
    if (typeof longitude === "number" && typeof latitude === "number") {
      if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return [longitude, latitude];
    }
  }
  throw new GeoFault("needs positions as [longitude, latitude] in degrees");
}

function metres(value: unknown, name: string): number {
  if (typeof value === "number" && value >= 0 && value <= 1e9) return value;
  throw new GeoFault(`needs metres in ${name}, not less than 0`);
}

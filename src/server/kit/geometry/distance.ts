import { Area } from "#lib/geometry/area.ts";
import {
  partsOf,
  type Box,
  type Geometry,
  type Line,
  type Position,
} from "#lib/geometry/geometry.ts";
import { atOnce, type Stepwise } from "#lib/time/stepwise.ts";

/** The mean radius of the earth (IUGG). */
export const earthRadiusMetres = 6_371_008.8;
/** Degrees after which a straight line on a map is cut, so that each part is a great circle. */
const longestPieceDegrees = 1;
/** The positions of a line that are compared in one part. */
const positionsPerPart = 512;

/** Metres between two positions on a sphere, by the haversine formula. */
export function metresBetween([x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): number {
  const across = Math.sin(radians(x2 - x1) / 2) ** 2;
  const along = Math.sin(radians(y2 - y1) / 2) ** 2;
  const chord = along + Math.cos(radians(y1)) * Math.cos(radians(y2)) * across;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Metres from a position to the nearest point of a geometry; 0 inside; Infinity if it is empty. */
export function metresTo(position: Position, geometry: Geometry): number {
  return atOnce(distanceTo(position, geometry));
}

/** {@link metresTo} in parts, for geometries with many positions. */
export function* distanceTo(position: Position, geometry: Geometry): Stepwise<number> {
  const { points, lines, polygons } = partsOf(geometry);
  const [x = 0, y = 0] = position;
  if (polygons.length > 0 && Area.of(polygons).locate(x, y) !== "outside") return 0;
  let least = Infinity;
  for (const point of points) least = Math.min(least, metresBetween(position, point));
  for (const line of [...lines, ...polygons.flat()]) {
    for (let from = 1; from < line.length; from += positionsPerPart) {
      const to = Math.min(line.length, from + positionsPerPart);
      least = Math.min(least, metresToLine(position, line, from, to));
      if (to < line.length) yield undefined;
    }
  }
  return least;
}

/** Metres to the edges of a line that end at some of its positions. */
function metresToLine(position: Position, line: Line, from: number, to: number): number {
  let least = Infinity;
  for (let at = from; at < to; at += 1) {
    const [x1 = 0, y1 = 0] = line[at - 1] ?? [];
    const [x2 = 0, y2 = 0] = line[at] ?? [];
    const degrees = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
    const pieces = Math.max(1, Math.ceil(degrees / longestPieceDegrees));
    for (let piece = 0; piece < pieces; piece += 1) {
      const [start, end] = [piece / pieces, (piece + 1) / pieces].map((part): Position => [
        x1 + part * (x2 - x1),
        y1 + part * (y2 - y1),
      ]);
      least = Math.min(least, metresToArc(position, start ?? [x1, y1], end ?? [x2, y2]));
    }
  }
  return least;
}

type Vector = readonly [number, number, number];

/** Metres from a position to the arc of the great circle between two others. */
function metresToArc(position: Position, from: Position, to: Position): number {
  const [point, start, end] = [vector(position), vector(from), vector(to)];
  const normal = cross(start, end);
  const length = Math.hypot(...normal);
  const toEnds = Math.min(metresBetween(position, from), metresBetween(position, to));
  if (length === 0) return toEnds;
  const isAfterStart = dot(cross(normal, start), point) >= 0;
  const isBeforeEnd = dot(cross(end, normal), point) >= 0;
  if (!isAfterStart || !isBeforeEnd) return toEnds;
  const sine = Math.min(1, Math.abs(dot(point, normal)) / length);
  return Math.min(toEnds, earthRadiusMetres * Math.asin(sine));
}

/** The boxes with all positions within a distance, none of which crosses 180 degrees. */
export function boxesAround([x = 0, y = 0]: Position, metres: number): Box[] {
  const angle = metres / earthRadiusMetres;
  const degrees = (angle * 180) / Math.PI + slackDegrees;
  const [south, north] = [Math.max(-90, y - degrees), Math.min(90, y + degrees)];
  const ratio = Math.sin(Math.min(angle, Math.PI / 2)) / Math.cos(radians(y));
  if (south <= -90 || north >= 90 || ratio >= 1) return [[-180, south, 180, north]];
  const width = (Math.asin(ratio) * 180) / Math.PI + slackDegrees;
  const [west, east] = [x - width, x + width];
  if (west < -180) {
    return [
      [-180, south, east, north],
      [west + 360, south, 180, north],
    ];
  }
  if (east > 180) {
    return [
      [west, south, 180, north],
      [-180, south, east - 360, north],
    ];
  }
  return [[west, south, east, north]];
}

/** Degrees added to a box, so that rounding never excludes a position. */
const slackDegrees = 1e-9;

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function vector([x = 0, y = 0]: Position): Vector {
  const [longitude, latitude] = [radians(x), radians(y)];
  return [
    Math.cos(latitude) * Math.cos(longitude),
    Math.cos(latitude) * Math.sin(longitude),
    Math.sin(latitude),
  ];
}

function cross(one: Vector, other: Vector): Vector {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

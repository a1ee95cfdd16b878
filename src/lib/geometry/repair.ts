import polygonClipping from "polygon-clipping";
import { boxPolygon, type Geometry, type Line, type Position, type Rings } from "./geometry.ts";
import type { Stepwise } from "../time/stepwise.ts";
import { crossingsIn, polygonCheck } from "./ring-faults.ts";

/** The library's time grows with both, and it runs in one tick. */
const clippedPositions = 20_000;
const clippedCrossings = 2_000;

/** The repair would take longer than a request may. */
export class ClippingError extends Error {
  override readonly name = "ClippingError";
}

/**
 * A geometry without the faults that have one obvious mend, or null if nothing is left: rings are
 * closed and turn as RFC 7946 wants, repeated positions go, longitudes beyond 180 degrees come back
 * by a cut there, parts without a length or an area go, and rings that cross are made separate
 * areas by the rule of even and odd crossings.
 */
export function* repair(geometry: Geometry): Stepwise<Geometry | null> {
  switch (geometry.type) {
    case "Point":
      return { type: "Point", coordinates: wrapped(geometry.coordinates) };
    case "MultiPoint":
      return some("MultiPoint", geometry.coordinates.map(wrapped));
    case "LineString": {
      const lines = repairedLine(geometry.coordinates);
      const [line] = lines;
      if (line === undefined) return null;
      return lines.length === 1
        ? { type: "LineString", coordinates: line }
        : { type: "MultiLineString", coordinates: lines };
    }
    case "MultiLineString":
      return some("MultiLineString", geometry.coordinates.flatMap(repairedLine));
    case "Polygon": {
      const polygons = yield* repairedPolygon(geometry.coordinates);
      const [polygon] = polygons;
      if (polygon === undefined) return null;
      return polygons.length === 1
        ? { type: "Polygon", coordinates: polygon }
        : { type: "MultiPolygon", coordinates: polygons };
    }
    case "MultiPolygon": {
      const polygons: Rings[] = [];
      for (const rings of geometry.coordinates) polygons.push(...(yield* repairedPolygon(rings)));
      return some("MultiPolygon", polygons);
    }
    case "GeometryCollection": {
      const geometries: Geometry[] = [];
      for (const each of geometry.geometries) {
        const repaired = yield* repair(each);
        if (repaired !== null) geometries.push(repaired);
      }
      return geometries.length === 0 ? null : { type: "GeometryCollection", geometries };
    }
  }
}

function some<const Type, Item>(type: Type, coordinates: readonly Item[]) {
  return coordinates.length === 0 ? null : { type, coordinates };
}

function wrapped(position: Position): Position {
  const [x = 0, ...rest] = position;
  if (Math.abs(x) <= 180) return position;
  return [x > 180 ? x - 360 : x + 360, ...rest];
}

function withoutRepeats(line: Line): Line {
  return line.filter(
    ([x, y], at) => at === 0 || line[at - 1]?.[0] !== x || line[at - 1]?.[1] !== y,
  );
}

/** The parts of a line between -180 and 180 degrees, each with two positions or more. */
function repairedLine(line: Line): Line[] {
  const parts: Position[][] = [[]];
  const positions = withoutRepeats(line);
  for (const [at, position] of positions.entries()) {
    const before = positions[at - 1];
    for (const cut of cutsBetween(before, position)) {
      parts.at(-1)?.push(turned(cut, before ?? position));
      parts.push([turned(cut, position)]);
    }
    parts.at(-1)?.push(wrapped(position));
  }
  return parts.map(withoutRepeats).filter((part) => part.length > 1);
}

/** The positions at which a segment crosses 180 or -180 degrees, in its direction. */
function cutsBetween(from: Position | undefined, [x = 0, y = 0]: Position): Position[] {
  if (from === undefined) return [];
  const [fromX = 0, fromY = 0] = from;
  const cuts = [-180, 180].filter((edge) => Math.min(fromX, x) < edge && edge < Math.max(fromX, x));
  const ordered = fromX < x ? cuts : cuts.toReversed();
  return ordered.map((edge) => [edge, fromY + ((edge - fromX) / (x - fromX)) * (y - fromY)]);
}

/** A position at 180 degrees on the side of another one. */
function turned([x = 0, ...rest]: Position, [side = 0]: Position): Position {
  const isBeyond = Math.abs(side) > 180;
  return [isBeyond ? -x : x, ...rest];
}

function* repairedPolygon(rings: Rings): Stepwise<Rings[]> {
  const closed = rings
    .map((ring) => closedRing(withoutRepeats(ring)))
    .filter((ring, at) => at === 0 || ring.length >= 4);
  const [shell = []] = closed;
  if (shell.length < 4) return [];
  const isBeyond = closed.some((ring) => ring.some(([x = 0]) => Math.abs(x) > 180));
  if (!isBeyond && (yield* polygonCheck(closed)) === undefined) return [closed.map(orientedRing)];
  requireClippable(closed);
  const flat = closed.map((ring) => ring.map(([x = 0, y = 0]): [number, number] => [x, y]));
  const whole = polygonClipping.union([flat]);
  return [-360, 0, 360].flatMap((shift) => {
    const band = [-180 + shift, -90, 180 + shift, 90] as const;
    const [frame = []] = boxPolygon(band);
    const frameRing = frame.map(([x = 0, y = 0]): [number, number] => [x, y]);
    const cut = isBeyond
      ? polygonClipping.intersection(whole, [[frameRing]])
      : shift === 0
        ? whole
        : [];
    return cut.map((polygon) =>
      polygon.map((ring, at) =>
        orientedRing(
          ring.map(([x, y]) => [x - shift, y]),
          at,
        ),
      ),
    );
  });
}

/** Throws {@link ClippingError}, or `CrowdedEdgesError` of edges that cannot be counted. */
function requireClippable(rings: Rings): void {
  const positions = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (positions <= clippedPositions && crossingsIn(rings) <= clippedCrossings) return;
  throw new ClippingError("the polygon has too many positions or crossings");
}

function closedRing(ring: Line): Line {
  const [first] = ring;
  const last = ring.at(-1);
  if (first === undefined || last === undefined) return ring;
  return first[0] === last[0] && first[1] === last[1]
    ? [...ring.slice(0, -1), first]
    : [...ring, first];
}

/** The outer ring turns against the clock and holes turn with it (RFC 7946, 3.1.6). */
function orientedRing(ring: Line, place: number): Line {
  return signedArea(ring) > 0 === (place === 0) ? ring : ring.toReversed();
}

/** Twice the area of a ring; positive against the clock. */
function signedArea(ring: Line): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at += 1) {
    const [x1 = 0, y1 = 0] = ring[at - 1] ?? [];
    const [x2 = 0, y2 = 0] = ring[at] ?? [];
    sum += x1 * y2 - x2 * y1;
  }
  return sum;
}

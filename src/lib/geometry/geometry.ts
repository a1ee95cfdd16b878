/** Geometries of GeoJSON (RFC 7946): WGS 84, longitude first; lines are straight on a map. */

/** Longitude and latitude in degrees, and maybe an altitude in metres. */
export type Position = readonly number[];
/** A position without an altitude. */
export type Degrees = readonly [longitude: number, latitude: number];
export type Line = readonly Position[];
/** The outer ring, then its holes. */
export type Rings = readonly Line[];

export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "MultiPoint" | "LineString"; readonly coordinates: Line }
  | { readonly type: "MultiLineString" | "Polygon"; readonly coordinates: Rings }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly Rings[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

/** The points, lines and areas of a geometry. */
export interface Parts {
  readonly points: readonly Position[];
  readonly lines: readonly Line[];
  readonly polygons: readonly Rings[];
}

export function partsOf(geometry: Geometry): Parts {
  const none = { points: [], lines: [], polygons: [] };
  switch (geometry.type) {
    case "Point":
      return { ...none, points: [geometry.coordinates] };
    case "MultiPoint":
      return { ...none, points: geometry.coordinates };
    case "LineString":
      return { ...none, lines: [geometry.coordinates] };
    case "MultiLineString":
      return { ...none, lines: geometry.coordinates };
    case "Polygon":
      return { ...none, polygons: [geometry.coordinates] };
    case "MultiPolygon":
      return { ...none, polygons: geometry.coordinates };
    case "GeometryCollection": {
      const all = geometry.geometries.map(partsOf);
      return {
        points: all.flatMap(({ points }) => points),
        lines: all.flatMap(({ lines }) => lines),
        polygons: all.flatMap(({ polygons }) => polygons),
      };
    }
  }
}

/** West, south, east and north in degrees; west is above east where a box crosses 180 degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** The smallest box of a geometry on a map that ends at 180 degrees; undefined for an empty one. */
export function boxOf({ points, lines, polygons }: Parts): Box | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (positions: Line): void => {
    for (const position of positions) {
      // A pattern would make an iterator for each position.
      const x = position[0] ?? 0;
      const y = position[1] ?? 0;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  };
  add(points);
  for (const line of lines) add(line);
  for (const [shell = []] of polygons) add(shell);
  return west > east ? undefined : [west, south, east, north];
}

/** A box as boxes that do not cross 180 degrees. */
export function flatBoxes(box: Box): Box[] {
  const [west, south, east, north] = box;
  if (west <= east) return [box];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/** True if two boxes that do not cross 180 degrees have a point in common. */
export function boxesMeet(one: Box, other: Box): boolean {
  return one[0] <= other[2] && one[2] >= other[0] && one[1] <= other[3] && one[3] >= other[1];
}

/** The smallest box around two boxes that do not cross 180 degrees. */
export function boxAroundBoth(one: Box | undefined, other: Box | undefined): Box | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/** The polygon that a box covers. */
export function boxPolygon([west, south, east, north]: Box): Rings {
  return [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ];
}

import { boxPolygon, flatBoxes, type Geometry, type Line } from "#lib/geometry/geometry.ts";
import { repair } from "#lib/geometry/repair.ts";
import { atOnce } from "#lib/time/stepwise.ts";
import type { Area, Position, WithinTest } from "./condition.ts";

/** The operand of a test of a geometry, as the functions of both databases read it. */
export type PlacedOperand =
  | { readonly relation: WithinTest["relation"]; readonly geometry: Geometry }
  | { readonly relation: "circle"; readonly center: Position; readonly metres: number }
  | { readonly relation: "flat-circle"; readonly center: Position; readonly degrees: number };

export function operandOf({ area, relation }: WithinTest): PlacedOperand {
  if (area.kind === "circle") {
    return { relation: "circle", center: area.near.center, metres: area.near.maximumMetres };
  }
  if (area.kind === "flat-circle") {
    return { relation: "flat-circle", center: area.center, degrees: area.degrees };
  }
  return { relation, geometry: geometryOf(area) };
}

/** The area as a geometry whose longitudes are from -180 to 180. */
function geometryOf(area: Area): Geometry {
  switch (area.kind) {
    case "box": {
      const [[west, south], [east, north]] = [area.southWest, area.northEast];
      const boxes = flatBoxes([west, south, east, north]);
      return { type: "MultiPolygon", coordinates: boxes.map(boxPolygon) };
    }
    case "polygon":
      return polygonOf([area.ring]);
    case "with-holes":
      return polygonOf([area.area, ...area.holes].flatMap((each) => ringsOf(each)));
    case "points":
      return { type: "MultiPoint", coordinates: area.positions };
    case "lines":
      return withinEarth({ type: "MultiLineString", coordinates: area.lines }, area.lines);
    case "any":
      return { type: "GeometryCollection", geometries: area.areas.map(geometryOf) };
    default:
      throw new TypeError("A circle is not a geometry of GeoJSON");
  }
}

function ringsOf(area: Area): readonly (readonly Position[])[] {
  return area.kind === "polygon" ? [area.ring] : [];
}

function polygonOf(rings: readonly (readonly Position[])[]): Geometry {
  const west = westOf(rings[0] ?? []);
  const closed = rings.map((ring): Line => {
    // Each ring starts at its own west end, and a hole must be on the side of its area.
    const turn = westOf(ring) < west ? 360 : 0;
    const turned = ring.map(([x, y]): Position => [x + turn, y]);
    return [...turned, ...turned.slice(0, 1)];
  });
  return withinEarth({ type: "Polygon", coordinates: closed }, closed);
}

function westOf(ring: readonly Position[]): number {
  return Math.min(...ring.map(([x]) => x));
}

function withinEarth(geometry: Geometry, lines: readonly Line[]): Geometry {
  const isBeyond = lines.some((line) => line.some(([x = 0]) => Math.abs(x) > 180));
  const cut = isBeyond ? atOnce(repair(geometry)) : geometry;
  return cut ?? { type: "GeometryCollection", geometries: [] };
}

import { Edges, type Comparisons } from "./edges.ts";
import { partsOf, type Geometry, type Line, type Position, type Rings } from "./geometry.ts";
import type { Stepwise } from "../time/stepwise.ts";
import { isOn, sideOf } from "./segments.ts";

export type Location = "inside" | "boundary" | "outside";

/** The places inside polygons, which may have holes. */
export class Area {
  /** The polygon of each ring. */
  readonly #polygonOf: readonly number[];

  private constructor(
    readonly polygons: readonly Rings[],
    readonly edges: Edges,
  ) {
    this.#polygonOf = polygons.flatMap((rings, place) => rings.map(() => place));
  }

  static of(polygons: readonly Rings[]): Area {
    return new Area(polygons, Edges.of(polygons.flat()));
  }

  static *inParts(polygons: readonly Rings[]): Stepwise<Area> {
    return new Area(polygons, yield* Edges.inParts(polygons.flat()));
  }

  /**
   * The location of a point by the rule of even and odd crossings in each polygon; exact. Throws
   * `CrowdedEdgesError` beyond the bound of the comparisons, if they are given.
   */
  locate(x: number, y: number, comparisons?: Comparisons): Location {
    const crossings = new Map<number, number>();
    const found = this.edges.in([x, y, Infinity, y]);
    for (const edge of comparisons?.of(found) ?? found) {
      if (isOn(edge, x, y)) return "boundary";
      const { y1, y2, line } = edge;
      if (y1 > y === y2 > y) continue;
      // The point is left of the edge where a rising edge has it on its left side.
      const isLeft = sideOf(edge, x, y) === leftSide(y2 > y1);
      const polygon = this.#polygonOf[line] ?? 0;
      if (isLeft) crossings.set(polygon, (crossings.get(polygon) ?? 0) + 1);
    }
    for (const count of crossings.values()) if (count % 2 === 1) return "inside";
    return "outside";
  }
}

const risingLeft = sideOf({ x1: 0, y1: 0, x2: 0, y2: 1 }, -1, 0);

function leftSide(isRising: boolean): number {
  return isRising ? risingLeft : -risingLeft;
}

/** A position inside of a polygon: the middle of its first part on a line from west to east. */
export function innerPosition(rings: Rings): Position {
  const [shell = []] = rings;
  const y = lowestMiddle(shell);
  const crossings = Edges.of(rings)
    .all.filter(({ y1, y2 }) => y1 > y !== y2 > y)
    .map(({ x1, y1, x2, y2 }) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
    .toSorted((a, b) => a - b);
  return [((crossings[0] ?? 0) + (crossings[1] ?? 0)) / 2, y];
}

/** The middle between the two lowest latitudes of a line. */
function lowestMiddle(line: Line): number {
  let [lowest, next] = [Infinity, Infinity];
  for (const [, y = 0] of line) {
    if (y < lowest) [lowest, next] = [y, lowest];
    else if (y > lowest && y < next) next = y;
  }
  if (!Number.isFinite(lowest)) return 0;
  return Number.isFinite(next) ? (lowest + next) / 2 : lowest / 2;
}

/** One position of a geometry, inside of its first area, or on its first line. */
export function positionOf(geometry: Geometry): Position | undefined {
  const { points, lines, polygons } = partsOf(geometry);
  const [polygon] = polygons;
  if (polygon !== undefined) return innerPosition(polygon);
  const [line] = lines;
  return line === undefined ? points[0] : line[Math.floor(line.length / 2)];
}

import { Area, innerPosition, type Location } from "#lib/geometry/area.ts";
import { Comparisons, Edges, type Edge } from "#lib/geometry/edges.ts";
import {
  boxesMeet,
  boxOf,
  partsOf,
  type Box,
  type Geometry,
  type Parts,
  type Position,
} from "#lib/geometry/geometry.ts";
import { isOn, meeting, meetingPlaces } from "#lib/geometry/segments.ts";

/** The pairs that one test may compare, of any geometries and in addition for each position. */
const comparedAtMost = 2_000_000;
const comparedPerPosition = 100;

/**
 * A geometry that many others are tested against. Its lines are straight on a map. A test throws
 * `CrowdedEdgesError` for two geometries of which each part lies across all of the other.
 */
export class PreparedGeometry {
  readonly box: Box | undefined;
  readonly #parts: Parts;
  readonly #area: Area;
  readonly #lines: Edges;
  readonly #points: ReadonlySet<string>;
  #comparisons = new Comparisons(comparedAtMost);

  /** `limit` is the number of pairs; geometries that are small anyway need none. */
  constructor(
    geometry: Geometry,
    private readonly limit: number = comparedAtMost,
  ) {
    this.#parts = partsOf(geometry);
    this.box = boxOf(this.#parts);
    this.#area = new Area(this.#parts.polygons);
    this.#lines = new Edges(this.#parts.lines);
    this.#points = new Set(this.#parts.points.map(nameOf));
  }

  /** True if the geometries have a point in common, also one of a boundary. */
  intersects(geometry: Geometry): boolean {
    const parts = partsOf(geometry);
    if (!this.#isNear(parts)) return false;
    this.#comparisons = this.#newComparisons(parts);
    if (parts.points.some((point) => this.#hasPoint(point))) return true;
    const area = new Area(parts.polygons);
    const lines = new Edges(parts.lines);
    if (this.#parts.points.some((point) => this.#isPointOf(point, area, lines))) return true;
    const edges = [...area.edges.all, ...lines.all];
    if (edges.some((edge) => this.#meetsEdge(edge))) return true;
    // Geometries whose lines have no common point are apart, or one is inside of the other.
    const isIn = (all: Parts, of: Area): boolean =>
      firstPositions(all).some(([x = 0, y = 0]) => this.#locate(of, x, y) !== "outside");
    return isIn(parts, this.#area) || isIn(this.#parts, area);
  }

  /**
   * True if each point of the geometry is in the areas of this one, and not all of them are on
   * their boundary. Points and lines of this geometry do not count.
   */
  contains(geometry: Geometry): boolean {
    const parts = partsOf(geometry);
    if (!this.#isNear(parts)) return false;
    this.#comparisons = this.#newComparisons(parts);
    let hasInner = false;
    for (const [x = 0, y = 0] of parts.points) {
      const location = this.#locate(this.#area, x, y);
      if (location === "outside") return false;
      if (location === "inside") hasInner = true;
    }
    const area = new Area(parts.polygons);
    for (const edge of [...area.edges.all, ...new Edges(parts.lines).all]) {
      const location = this.#locateEdge(edge);
      if (location === "outside") return false;
      if (location === "inside") hasInner = true;
    }
    if (parts.polygons.length === 0) return hasInner;
    const isIn = ([x = 0, y = 0]: Position): boolean =>
      this.#locate(this.#area, x, y) !== "outside";
    return parts.polygons.map(innerPosition).every(isIn) && !this.#hasBoundaryIn(area, parts);
  }

  #newComparisons(parts: Parts): Comparisons {
    const positions = positionsIn(this.#parts) + positionsIn(parts);
    return new Comparisons(this.limit + comparedPerPosition * positions);
  }

  #isNear(parts: Parts): boolean {
    const box = boxOf(parts);
    return box !== undefined && this.box !== undefined && boxesMeet(box, this.box);
  }

  #hasPoint(point: Position): boolean {
    return this.#points.has(nameOf(point)) || this.#isPointOf(point, this.#area, this.#lines);
  }

  #isPointOf([x = 0, y = 0]: Position, area: Area, lines: Edges): boolean {
    if (this.#locate(area, x, y) !== "outside") return true;
    return this.#comparisons.of(lines.in([x, y, x, y])).some((edge) => isOn(edge, x, y));
  }

  #locate(area: Area, x: number, y: number): Location {
    return area.locate(x, y, this.#comparisons);
  }

  #near(edges: Edges, edge: Edge): readonly Edge[] {
    return this.#comparisons.of(edges.near(edge));
  }

  #meetsEdge(edge: Edge): boolean {
    const meets = (other: Edge): boolean => meeting(edge, other) !== "apart";
    const isMet = this.#near(this.#area.edges, edge).some(meets);
    return isMet || this.#near(this.#lines, edge).some(meets);
  }

  /** Inside: a part of the edge is, and no part is outside. */
  #locateEdge(edge: Edge): "inside" | "boundary" | "outside" {
    const cuts = new Set([0, 1]);
    const covered: (readonly [from: number, to: number])[] = [];
    for (const other of this.#near(this.#area.edges, edge)) {
      const [from, to] = meetingPlaces(edge, other);
      if (from === undefined) continue;
      cuts.add(from);
      if (to === undefined) continue;
      cuts.add(to);
      covered.push([from, to]);
    }
    const places = [...cuts].toSorted((a, b) => a - b);
    let hasInner = false;
    for (let at = 1; at < places.length; at += 1) {
      const middle = ((places[at - 1] ?? 0) + (places[at] ?? 1)) / 2;
      if (covered.some(([from, to]) => from <= middle && middle <= to)) continue;
      const x = edge.x1 + middle * (edge.x2 - edge.x1);
      const y = edge.y1 + middle * (edge.y2 - edge.y1);
      const isShort = (places[at] ?? 1) - (places[at - 1] ?? 0) < shortestPiece;
      const location = this.#locate(this.#area, x, y);
      // Rounding places the middle of such a piece on either side of the boundary.
      if (location === "outside" && !isShort) return "outside";
      if (location === "inside") hasInner = true;
    }
    return hasInner ? "inside" : "boundary";
  }

  /** True if a boundary of this area is inside of another one, which then has a part outside. */
  #hasBoundaryIn(area: Area, parts: Parts): boolean {
    const box = boxOf(parts);
    if (box === undefined) return false;
    return this.#area.edges
      .in(box)
      .some(
        ({ x1, y1, x2, y2 }) =>
          this.#locate(area, x1, y1) === "inside" ||
          this.#locate(area, (x1 + x2) / 2, (y1 + y2) / 2) === "inside",
      );
  }
}

const shortestPiece = 1e-12;

function positionsIn({ points, lines, polygons }: Parts): number {
  return [points, ...lines, ...polygons.flat()].reduce((sum, { length }) => sum + length, 0);
}

/** Equal for equal longitudes and latitudes. */
function nameOf([x = 0, y = 0]: Position): string {
  return `${x} ${y}`;
}

/** One position of each point, line and polygon. */
function firstPositions({ points, lines, polygons }: Parts): Position[] {
  const ofLines = [...lines, ...polygons.map(([shell = []]) => shell)];
  return [...points, ...ofLines.flatMap(([first]) => (first === undefined ? [] : [first]))];
}

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
import type { Stepwise } from "#lib/time/stepwise.ts";

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
  readonly #limit: number;
  #comparisons = new Comparisons(comparedAtMost);

  private constructor(prepared: {
    readonly parts: Parts;
    readonly area: Area;
    readonly lines: Edges;
    readonly limit: number;
  }) {
    this.#parts = prepared.parts;
    this.#area = prepared.area;
    this.#lines = prepared.lines;
    this.#limit = prepared.limit;
    this.box = boxOf(this.#parts);
    this.#points = new Set(this.#parts.points.map(nameOf));
  }

  /** `limit` is the number of pairs; geometries that are small anyway need none. */
  static of(geometry: Geometry, limit: number = comparedAtMost): PreparedGeometry {
    const parts = partsOf(geometry);
    const [area, lines] = [Area.of(parts.polygons), Edges.of(parts.lines)];
    return new PreparedGeometry({ parts, area, lines, limit });
  }

  static *inParts(geometry: Geometry): Stepwise<PreparedGeometry> {
    const parts = partsOf(geometry);
    const area = yield* Area.inParts(parts.polygons);
    const lines = yield* Edges.inParts(parts.lines);
    return new PreparedGeometry({ parts, area, lines, limit: comparedAtMost });
  }

  /** True if the geometries have a point in common, also one of a boundary. */
  *intersects(geometry: Geometry): Stepwise<boolean> {
    const parts = partsOf(geometry);
    if (!this.#isNear(parts)) return false;
    const comparisons = this.#newComparisons(parts);
    this.#comparisons = comparisons;
    for (const point of parts.points) {
      if (this.#hasPoint(point)) return true;
      if (comparisons.isPartOver()) yield undefined;
    }
    const area = yield* Area.inParts(parts.polygons);
    const lines = yield* Edges.inParts(parts.lines);
    for (const point of this.#parts.points) {
      if (this.#isPointOf(point, area, lines)) return true;
      if (comparisons.isPartOver()) yield undefined;
    }
    for (const edges of [area.edges.all, lines.all]) {
      for (const edge of edges) {
        if (this.#meetsEdge(edge)) return true;
        if (comparisons.isPartOver()) yield undefined;
      }
    }
    // Geometries whose lines have no common point are apart, or one is inside of the other.
    return (yield* this.#isPartIn(parts, this.#area)) || (yield* this.#isPartIn(this.#parts, area));
  }

  /**
   * True if each point of the geometry is in the areas of this one, and not all of them are on
   * their boundary. Points and lines of this geometry do not count.
   */
  *contains(geometry: Geometry): Stepwise<boolean> {
    const parts = partsOf(geometry);
    if (!this.#isNear(parts)) return false;
    const comparisons = this.#newComparisons(parts);
    this.#comparisons = comparisons;
    let hasInner = false;
    for (const [x = 0, y = 0] of parts.points) {
      const location = this.#locate(this.#area, x, y);
      if (location === "outside") return false;
      if (location === "inside") hasInner = true;
      if (comparisons.isPartOver()) yield undefined;
    }
    const area = yield* Area.inParts(parts.polygons);
    const lines = yield* Edges.inParts(parts.lines);
    for (const edges of [area.edges.all, lines.all]) {
      for (const edge of edges) {
        const location = this.#locateEdge(edge);
        if (location === "outside") return false;
        if (location === "inside") hasInner = true;
        if (comparisons.isPartOver()) yield undefined;
      }
    }
    if (parts.polygons.length === 0) return hasInner;
    for (const rings of parts.polygons) {
      const [x = 0, y = 0] = innerPosition(rings);
      if (this.#locate(this.#area, x, y) === "outside") return false;
      if (comparisons.isPartOver()) yield undefined;
    }
    return !(yield* this.#hasBoundaryIn(area, parts));
  }

  /** True if a point, line or polygon of one geometry begins inside of an area. */
  *#isPartIn(parts: Parts, area: Area): Stepwise<boolean> {
    const comparisons = this.#comparisons;
    for (const [x = 0, y = 0] of firstPositions(parts)) {
      if (this.#locate(area, x, y) !== "outside") return true;
      if (comparisons.isPartOver()) yield undefined;
    }
    return false;
  }

  #newComparisons(parts: Parts): Comparisons {
    const positions = positionsIn(this.#parts) + positionsIn(parts);
    return new Comparisons(this.#limit + comparedPerPosition * positions);
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
  *#hasBoundaryIn(area: Area, parts: Parts): Stepwise<boolean> {
    const box = boxOf(parts);
    if (box === undefined) return false;
    const comparisons = this.#comparisons;
    for (const { x1, y1, x2, y2 } of this.#area.edges.in(box)) {
      if (this.#locate(area, x1, y1) === "inside") return true;
      if (this.#locate(area, (x1 + x2) / 2, (y1 + y2) / 2) === "inside") return true;
      if (comparisons.isPartOver()) yield undefined;
    }
    return false;
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

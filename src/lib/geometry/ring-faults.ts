import type { Stepwise } from "../time/stepwise.ts";
import { Area } from "./area.ts";
import { Comparisons, CrowdedEdgesError, Edges, type Edge } from "./edges.ts";
import type { Position, Rings } from "./geometry.ts";
import { meeting, meetingPlaces } from "./segments.ts";
import type { GeometryFault } from "./shape-faults.ts";

/**
 * Finds the first fault of a polygon with closed rings: a ring that crosses or follows itself or
 * another ring, or a hole outside of the outer ring. Rings may touch at points, and may turn either
 * way.
 */
export function* polygonCheck(rings: Rings): Stepwise<GeometryFault | undefined> {
  const edges = yield* Edges.inParts(rings);
  const missing = emptyLine(rings.length, edges.all);
  if (missing !== undefined) return { path: [missing], detail: "is a ring without an area" };
  try {
    return (yield* crossingFault(edges)) ?? (yield* strayHole(rings));
  } catch (error) {
    if (error instanceof CrowdedEdgesError) return { path: [], detail: crowded };
    throw error;
  }
}

/** The first line without an edge. */
function emptyLine(lines: number, edges: readonly Edge[]): number | undefined {
  let next = 0;
  for (const { line } of edges) {
    if (line > next) return next;
    if (line === next) next += 1;
  }
  return next < lines ? next : undefined;
}

const crowded = "has too many long edges across each other to be checked: simplify it first";

function* crossingFault(edges: Edges): Stepwise<GeometryFault | undefined> {
  if (edges.areFew) return crossingOfFew(edges.all);
  const comparisons = new Comparisons(edges);
  for (const edge of edges.all) {
    const fault = crossingOf(comparisons.of(edges.near(edge)), edge);
    if (fault !== undefined) return fault;
    if (comparisons.isPartOver()) yield undefined;
  }
  return undefined;
}

/** The number of pairs of edges that cross. Throws {@link CrowdedEdgesError}. */
export function crossingsIn(rings: Rings): number {
  const edges = Edges.of(rings);
  const comparisons = new Comparisons(edges);
  let crossings = 0;
  for (const edge of edges.all) {
    for (const other of comparisons.of(edges.near(edge))) {
      const isLater = other.line > edge.line || (other.line === edge.line && other.at > edge.at);
      if (isLater && meeting(edge, other) === "cross") crossings += 1;
    }
  }
  return crossings;
}

/** Most areas have few edges: each is compared with all later ones, without lists in between. */
function crossingOfFew(edges: readonly Edge[]): GeometryFault | undefined {
  for (const [place, edge] of edges.entries()) {
    for (let later = place + 1; later < edges.length; later += 1) {
      const other = edges[later];
      const fault = other && faultOfPair(edge, other);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function crossingOf(others: readonly Edge[], edge: Edge): GeometryFault | undefined {
  for (const other of others) {
    // Each pair is looked at once.
    if (other.line < edge.line || (other.line === edge.line && other.at <= edge.at)) continue;
    const fault = faultOfPair(edge, other);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfPair(edge: Edge, other: Edge): GeometryFault | undefined {
  const met = meeting(edge, other);
  if (met !== "cross" && met !== "overlap") return undefined;
  const [place = 0] = meetingPlaces(edge, other);
  const x = edge.x1 + place * (edge.x2 - edge.x1);
  const y = edge.y1 + place * (edge.y2 - edge.y1);
  const whom = other.line === edge.line ? "itself" : `the ring ${other.line}`;
  const verb = met === "cross" ? "crosses" : "runs along";
  return {
    path: [edge.line, edge.at],
    detail: `begins an edge by which the ring ${verb} ${whom} at [${shown(x)}, ${shown(y)}]`,
  };
}

function* strayHole([shell = [], ...holes]: Rings): Stepwise<GeometryFault | undefined> {
  if (holes.length === 0) return undefined;
  const area = yield* Area.inParts([[shell]]);
  const comparisons = new Comparisons(area.edges);
  for (const [index, hole] of holes.entries()) {
    for (const [place, position] of hole.entries()) {
      const location = locationIn(area, position, comparisons);
      if (comparisons.isPartOver()) yield undefined;
      if (location === "boundary") continue;
      if (location === "inside") break;
      const detail = "is in a hole that is outside of the outer ring";
      return { path: [index + 1, place], detail };
    }
  }
  return undefined;
}

function locationIn(area: Area, [x = 0, y = 0]: Position, comparisons: Comparisons) {
  return area.locate(x, y, comparisons);
}

function shown(degrees: number): string {
  return String(Math.round(degrees * 1e7) / 1e7);
}

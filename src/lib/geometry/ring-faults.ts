import { Area } from "./area.ts";
import { Edges, type Edge } from "./edges.ts";
import type { Position, Rings } from "./geometry.ts";
import { meeting, meetingPlaces } from "./segments.ts";
import type { GeometryFault } from "./shape-faults.ts";

/**
 * The first fault of a polygon with closed rings: a ring that crosses or follows itself or another
 * ring, or a hole outside of the outer ring. Rings may touch at points, and may turn either way.
 */
export function polygonFault(rings: Rings): GeometryFault | undefined {
  const edges = new Edges(rings);
  const places = edges.all.map(({ line }) => line);
  const missing = rings.findIndex((_ring, index) => !places.includes(index));
  if (missing >= 0) return { path: [missing], detail: "is a ring without an area" };
  for (const [index, edge] of edges.all.entries()) {
    const fault = crossingOf(edges, edge, index);
    if (fault !== undefined) return fault;
  }
  return strayHole(rings);
}

function crossingOf(edges: Edges, edge: Edge, index: number): GeometryFault | undefined {
  for (const other of edges.near(edge)) {
    // Each pair is looked at once.
    if (other.line < edge.line || (other.line === edge.line && other.at <= edge.at)) continue;
    const met = meeting(edge, other);
    if (met !== "cross" && met !== "overlap") continue;
    const [place = 0] = meetingPlaces(edge, other);
    const x = edge.x1 + place * (edge.x2 - edge.x1);
    const y = edge.y1 + place * (edge.y2 - edge.y1);
    const whom = other.line === edge.line ? "itself" : `the ring ${other.line}`;
    const verb = met === "cross" ? "crosses" : "runs along";
    return {
      path: [edge.line, edges.all[index]?.at ?? 0],
      detail: `begins an edge by which the ring ${verb} ${whom} at [${shown(x)}, ${shown(y)}]`,
    };
  }
  return undefined;
}

function strayHole([shell = [], ...holes]: Rings): GeometryFault | undefined {
  if (holes.length === 0) return undefined;
  const area = new Area([[shell]]);
  for (const [index, hole] of holes.entries()) {
    const place = hole.findIndex((position) => locationIn(area, position) !== "boundary");
    const position = hole[place];
    if (position !== undefined && locationIn(area, position) === "outside") {
      return {
        path: [index + 1, place],
        detail: "is in a hole that is outside of the outer ring",
      };
    }
  }
  return undefined;
}

function locationIn(area: Area, [x = 0, y = 0]: Position) {
  return area.locate(x, y);
}

function shown(degrees: number): string {
  return String(Math.round(degrees * 1e7) / 1e7);
}

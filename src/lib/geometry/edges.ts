import Flatbush from "flatbush";
import type { Box, Line } from "./geometry.ts";
import type { Segment } from "./segments.ts";

/** An edge of a line or of a ring. */
export interface Edge extends Segment {
  /** The place of its line among all lines. */
  readonly line: number;
  /** The place of its start in its line. */
  readonly at: number;
}

/** The edges up to which a walk over all of them is faster than an index. */
const walkedEdges = 48;

/** The pairs of edges that are compared, of any geometry and in addition for each of its edges. */
const comparedAtMost = 1_000_000;
const comparedPerEdge = 24;

/** So many edges lie across each other that comparing them would take seconds. */
export class CrowdedEdgesError extends Error {
  override readonly name = "CrowdedEdgesError";
}

/** Bounds the comparisons of the edges of one geometry: long edges may each meet all others. */
export class Comparisons {
  #left: number;

  constructor({ all }: Edges) {
    this.#left = comparedAtMost + comparedPerEdge * all.length;
  }

  /** The edges to compare with one edge. Throws {@link CrowdedEdgesError} beyond the bound. */
  of<Compared extends Edge>(edges: readonly Compared[]): readonly Compared[] {
    this.#left -= edges.length;
    if (this.#left < 0) throw new CrowdedEdgesError("the geometry has too many edges in one place");
    return edges;
  }
}

/** The edges of lines, which it finds by their boxes. Edges without a length are left out. */
export class Edges {
  readonly all: readonly Edge[];
  readonly #index: Flatbush | undefined;

  constructor(lines: readonly Line[]) {
    const all: Edge[] = [];
    for (const [line, positions] of lines.entries()) {
      for (let at = 1; at < positions.length; at += 1) {
        const [x1 = 0, y1 = 0] = positions[at - 1] ?? [];
        const [x2 = 0, y2 = 0] = positions[at] ?? [];
        if (x1 !== x2 || y1 !== y2) all.push({ x1, y1, x2, y2, line, at: at - 1 });
      }
    }
    this.all = all;
    this.#index = all.length > walkedEdges ? indexOf(all) : undefined;
  }

  /** The edges whose boxes meet a box that does not cross 180 degrees, in no order. */
  in([west, south, east, north]: Box): readonly Edge[] {
    if (this.#index !== undefined) {
      const found: Edge[] = [];
      for (const place of this.#index.search(west, south, east, north)) {
        const edge = this.all[place];
        if (edge !== undefined) found.push(edge);
      }
      return found;
    }
    return this.all.filter(
      ({ x1, y1, x2, y2 }) =>
        (x1 >= west || x2 >= west) &&
        (x1 <= east || x2 <= east) &&
        (y1 >= south || y2 >= south) &&
        (y1 <= north || y2 <= north),
    );
  }

  /** The edges whose boxes meet that of a segment. */
  near({ x1, y1, x2, y2 }: Segment): readonly Edge[] {
    return this.in([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]);
  }
}

function indexOf(edges: readonly Edge[]): Flatbush {
  const index = new Flatbush(edges.length);
  for (const { x1, y1, x2, y2 } of edges) {
    index.add(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
  }
  index.finish();
  return index;
}

import Flatbush from "flatbush";
import { atOnce, type Stepwise } from "../time/stepwise.ts";
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
/** The edges of one index, which is made in one part. */
const indexedEdges = 16_384;
/** The positions of a line whose edges are made in one part. */
const positionsPerPart = 4_096;

/** The pairs of edges that are compared, of any geometry and in addition for each of its edges. */
const comparedAtMost = 1_000_000;
const comparedPerEdge = 24;

/** So many edges lie across each other that comparing them would take seconds. */
export class CrowdedEdgesError extends Error {
  override readonly name = "CrowdedEdgesError";
}

/** The comparisons of one part of a test, of which a search for edges counts as several. */
const comparisonsPerPart = 2_048;
const comparisonsPerSearch = 16;

/** Bounds the comparisons of edges, since long edges may each meet all others. */
export class Comparisons {
  #left: number;
  #inPart = 0;

  /** `limit` is a number of pairs, or the edges of a geometry that are compared with each other. */
  constructor(limit: number | Edges) {
    this.#left =
      typeof limit === "number" ? limit : comparedAtMost + comparedPerEdge * limit.all.length;
  }

  /** The edges to compare with one edge. Throws {@link CrowdedEdgesError} beyond the bound. */
  of<Compared extends Edge>(edges: readonly Compared[]): readonly Compared[] {
    this.#left -= edges.length;
    this.#inPart += edges.length + comparisonsPerSearch;
    if (this.#left < 0) throw new CrowdedEdgesError("the geometry has too many edges in one place");
    return edges;
  }

  /** True if a part of the test ends here, and the next one begins. */
  isPartOver(): boolean {
    if (this.#inPart < comparisonsPerPart) return false;
    this.#inPart = 0;
    return true;
  }
}

/** The edges of lines, which it finds by their boxes. Edges without a length are left out. */
export class Edges {
  #indexes: readonly Flatbush[] | undefined;
  #isSearched = false;

  private constructor(readonly all: readonly Edge[]) {}

  /** True if a walk over all edges is faster than a search. */
  get areFew(): boolean {
    return this.all.length <= walkedEdges;
  }

  static of(lines: readonly Line[]): Edges {
    const all: Edge[] = [];
    for (const [line, positions] of lines.entries()) {
      addEdges(all, { line, positions, from: 1, to: positions.length });
    }
    return new Edges(all);
  }

  /** The edges of lines, and their index. */
  static *inParts(lines: readonly Line[]): Stepwise<Edges> {
    const all: Edge[] = [];
    for (const [line, positions] of lines.entries()) {
      for (let from = 1; from < positions.length; from += positionsPerPart) {
        const to = Math.min(positions.length, from + positionsPerPart);
        addEdges(all, { line, positions, from, to });
        yield undefined;
      }
    }
    const edges = new Edges(all);
    if (!edges.areFew) yield* edges.#addIndexes();
    return edges;
  }

  /** The edges whose boxes meet a box that does not cross 180 degrees, in no order. */
  in([west, south, east, north]: Box): readonly Edge[] {
    // One search is faster without an index, which takes as long as many searches.
    if (this.#isSearched && !this.areFew && this.#indexes === undefined) {
      atOnce(this.#addIndexes());
    }
    this.#isSearched = true;
    if (this.#indexes !== undefined) {
      const found: Edge[] = [];
      let first = 0;
      for (const index of this.#indexes) {
        const { minX, minY, maxX, maxY } = index;
        if (minX <= east && maxX >= west && minY <= north && maxY >= south) {
          for (const place of index.search(west, south, east, north)) {
            const edge = this.all[first + place];
            if (edge !== undefined) found.push(edge);
          }
        }
        first += indexedEdges;
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

  /** One index of all edges would be made in one long part. */
  *#addIndexes(): Stepwise<void> {
    const indexes: Flatbush[] = [];
    for (let first = 0; first < this.all.length; first += indexedEdges) {
      indexes.push(indexOf(this.all.slice(first, first + indexedEdges)));
      yield undefined;
    }
    this.#indexes = indexes;
  }
}

/** Adds the edges that end at some positions of a line. */
function addEdges(
  all: Edge[],
  part: {
    readonly line: number;
    readonly positions: Line;
    readonly from: number;
    readonly to: number;
  },
): void {
  const { line, positions, from, to } = part;
  for (let at = from; at < to; at += 1) {
    const start = positions[at - 1];
    const end = positions[at];
    const [x1, y1, x2, y2] = [start?.[0] ?? 0, start?.[1] ?? 0, end?.[0] ?? 0, end?.[1] ?? 0];
    if (x1 !== x2 || y1 !== y2) all.push({ x1, y1, x2, y2, line, at: at - 1 });
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

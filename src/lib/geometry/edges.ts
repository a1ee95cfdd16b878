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
      const found = this.#index.search(west, south, east, north);
      return found.flatMap((place) => this.all[place] ?? []);
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

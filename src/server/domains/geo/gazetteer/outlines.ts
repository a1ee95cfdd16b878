import { NumberReader, outlineUnitsPerDegree } from "./packed.ts";

/** Outlines of areas: finds the area of a point by the sides that a ray to its right crosses. */
export class Outlines {
  /** The positions of all arcs, and where each arc begins. */
  readonly #xs: Int32Array;
  readonly #ys: Int32Array;
  readonly #starts: Int32Array;
  readonly #arcBoxes: Int32Array;
  readonly #areas: readonly Int32Array[];
  readonly #areaBoxes: Int32Array;

  constructor(arcs: Uint8Array, outlines: Uint8Array) {
    // Each position takes at least two bytes.
    this.#xs = new Int32Array(arcs.length / 2);
    this.#ys = new Int32Array(arcs.length / 2);
    const starts: number[] = [];
    const steps = new NumberReader(arcs);
    let count = 0;
    while (!steps.isAtEnd) {
      starts.push(count);
      let x = 0;
      let y = 0;
      for (let left = steps.next(); left > 0; left -= 1) {
        x += steps.next();
        y += steps.next();
        this.#xs[count] = x;
        this.#ys[count] = y;
        count += 1;
      }
    }
    this.#starts = Int32Array.from([...starts, count]);
    this.#arcBoxes = this.#boxesOf(starts.map((_start, arc) => [arc]));
    this.#areas = areasOf(outlines);
    this.#areaBoxes = this.#boxesOf(this.#areas);
  }

  /** The position of the area that has the point, in degrees; undefined outside of all. */
  areaAt(longitude: number, latitude: number): number | undefined {
    for (let area = 0; area < this.#areas.length; area += 1) {
      if (this.contains(area, longitude, latitude)) return area;
    }
    return undefined;
  }

  contains(area: number, longitude: number, latitude: number): boolean {
    const x = longitude * outlineUnitsPerDegree;
    const y = latitude * outlineUnitsPerDegree;
    const boxes = this.#areaBoxes;
    const box = area * 4;
    if (x < (boxes[box] ?? 0) || x > (boxes[box + 2] ?? 0)) return false;
    if (y < (boxes[box + 1] ?? 0) || y > (boxes[box + 3] ?? 0)) return false;
    let crossings = 0;
    for (const arc of this.#areas[area] ?? []) crossings += this.#crossings(arc, x, y);
    return crossings % 2 === 1;
  }

  #crossings(arc: number, x: number, y: number): number {
    const box = arc * 4;
    if (y < (this.#arcBoxes[box + 1] ?? 0) || y > (this.#arcBoxes[box + 3] ?? 0)) return 0;
    if (x > (this.#arcBoxes[box + 2] ?? 0)) return 0;
    const [xs, ys] = [this.#xs, this.#ys];
    const end = this.#starts[arc + 1] ?? 0;
    let count = 0;
    let index = this.#starts[arc] ?? 0;
    let x1 = xs[index] ?? 0;
    let y1 = ys[index] ?? 0;
    for (index += 1; index < end; index += 1) {
      const x2 = xs[index] ?? 0;
      const y2 = ys[index] ?? 0;
      if (y < y1 !== y < y2 && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) count += 1;
      x1 = x2;
      y1 = y2;
    }
    return count;
  }

  /** West, south, east and north of each list of arcs. */
  #boxesOf(lists: readonly Iterable<number>[]): Int32Array {
    const boxes = new Int32Array(lists.length * 4);
    for (const [index, arcs] of lists.entries()) {
      let west = Infinity;
      let south = Infinity;
      let east = -Infinity;
      let north = -Infinity;
      for (const arc of arcs) {
        const end = this.#starts[arc + 1] ?? 0;
        for (let at = this.#starts[arc] ?? 0; at < end; at += 1) {
          const x = this.#xs[at] ?? 0;
          const y = this.#ys[at] ?? 0;
          if (x < west) west = x;
          if (x > east) east = x;
          if (y < south) south = y;
          if (y > north) north = y;
        }
      }
      boxes.set([west, south, east, north], index * 4);
    }
    return boxes;
  }
}

function areasOf(outlines: Uint8Array): Int32Array[] {
  const numbers = new NumberReader(outlines);
  const areas: Int32Array[] = [];
  while (!numbers.isAtEnd) {
    const arcs = new Int32Array(numbers.next());
    let last = 0;
    for (let index = 0; index < arcs.length; index += 1) {
      last += numbers.next();
      arcs[index] = last;
    }
    areas.push(arcs);
  }
  return areas;
}

/** A corner of a flat ring: x, then y. The last is followed by the first. */
export type Corner = readonly [x: number, y: number];

/** A side that is not horizontal, which a ray to the right of a point may cross. */
export interface Side {
  readonly y1: number;
  readonly y2: number;
  readonly x1: number;
  readonly slope: number;
}

/** A horizontal side is never crossed, and its slope would divide by zero. */
export function sidesOf(ring: readonly Corner[]): Side[] {
  return ring.flatMap(([x1, y1], index) => {
    const [x2, y2] = ring[(index + 1) % ring.length] ?? [x1, y1];
    return y1 === y2 ? [] : [{ y1, y2, x1, slope: (x2 - x1) / (y2 - y1) }];
  });
}

/** True if a point is inside: a ray to its right crosses an odd number of sides. */
export function isInside(sides: readonly Side[], x: number, y: number): boolean {
  let crossings = 0;
  for (const { y1, y2, x1, slope } of sides) {
    if (y < y1 !== y < y2 && x < x1 + (y - y1) * slope) crossings += 1;
  }
  return crossings % 2 === 1;
}

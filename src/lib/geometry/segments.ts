import { orient2d } from "robust-predicates";

/** The way in which two segments meet: at inner points of both, at an end, or along a length. */
export type Meeting = "apart" | "touch" | "cross" | "overlap";

/** A segment from (x1, y1) to (x2, y2). */
export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** The side of a segment on which a point is: -1, 0 on its line, or 1; exact. */
export function sideOf({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  return Math.sign(orient2d(x1, y1, x2, y2, x, y));
}

/** True if a point is on a segment; exact. */
export function isOn(segment: Segment, x: number, y: number): boolean {
  const { x1, y1, x2, y2 } = segment;
  return (
    x >= Math.min(x1, x2) &&
    x <= Math.max(x1, x2) &&
    y >= Math.min(y1, y2) &&
    y <= Math.max(y1, y2) &&
    sideOf(segment, x, y) === 0
  );
}

/** The meeting of two segments, decided exactly. */
export function meeting(one: Segment, other: Segment): Meeting {
  if (areApart(one, other)) return "apart";
  const [start, end] = [sideOf(other, one.x1, one.y1), sideOf(other, one.x2, one.y2)];
  const [otherStart, otherEnd] = [sideOf(one, other.x1, other.y1), sideOf(one, other.x2, other.y2)];
  if (start === 0 && end === 0 && otherStart === 0 && otherEnd === 0) return alongLine(one, other);
  if (start * end < 0 && otherStart * otherEnd < 0) return "cross";
  const isTouching =
    (start === 0 && isOn(other, one.x1, one.y1)) ||
    (end === 0 && isOn(other, one.x2, one.y2)) ||
    (otherStart === 0 && isOn(one, other.x1, other.y1)) ||
    (otherEnd === 0 && isOn(one, other.x2, other.y2));
  return isTouching ? "touch" : "apart";
}

function areApart(one: Segment, other: Segment): boolean {
  return (
    Math.max(one.x1, one.x2) < Math.min(other.x1, other.x2) ||
    Math.max(other.x1, other.x2) < Math.min(one.x1, one.x2) ||
    Math.max(one.y1, one.y2) < Math.min(other.y1, other.y2) ||
    Math.max(other.y1, other.y2) < Math.min(one.y1, one.y2)
  );
}

/** The meeting of two segments on one line whose boxes meet. */
function alongLine(one: Segment, other: Segment): Meeting {
  const width = shared(one.x1, one.x2, other.x1, other.x2);
  const height = shared(one.y1, one.y2, other.y1, other.y2);
  return width > 0 || height > 0 ? "overlap" : "touch";
}

function shared(a1: number, a2: number, b1: number, b2: number): number {
  return (
    Math.min(Math.max(a1, a2), Math.max(b1, b2)) - Math.max(Math.min(a1, a2), Math.min(b1, b2))
  );
}

/** Places along `one` from 0 to 1 where `other` meets it: none, one, or the ends of a length. */
export function meetingPlaces(one: Segment, other: Segment): readonly number[] {
  switch (meeting(one, other)) {
    case "apart":
      return [];
    case "overlap": {
      const ends = [along(one, other.x1, other.y1), along(one, other.x2, other.y2)];
      return ends.map((place) => Math.min(1, Math.max(0, place))).toSorted((a, b) => a - b);
    }
    default: {
      const { x1, y1, x2, y2 } = other;
      const start = orient2d(x1, y1, x2, y2, one.x1, one.y1);
      const end = orient2d(x1, y1, x2, y2, one.x2, one.y2);
      if (start !== end) return [start / (start - end)];
      return [isOn(one, x1, y1) ? along(one, x1, y1) : along(one, x2, y2)];
    }
  }
}

function along({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  const [width, height] = [x2 - x1, y2 - y1];
  if (width === 0 && height === 0) return 0;
  return Math.abs(width) >= Math.abs(height) ? (x - x1) / width : (y - y1) / height;
}

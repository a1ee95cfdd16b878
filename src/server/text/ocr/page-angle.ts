import type { Ink } from "./ink.ts";

/** How the lines of a page lie. */
export interface PageAngle {
  /** The lines go up or down the picture. */
  readonly isSideways: boolean;
  /** The slope of the lines in degrees, clockwise; up to 6 in either direction. */
  readonly degrees: number;
  /** The middle of the densest lines, as a share of the height (or the width, if sideways). */
  readonly densest: number;
}

/** The longer side of the reduced picture, in which lines of 8 points have two dots. */
const reducedSide = 900;
const mostDegrees = 6;
const coarseStep = 0.5;
const fineStep = 0.1;
/** A page is sideways only if its lines are clearer that way. */
const clearer = 1.25;

/**
 * Finds how the lines of a page lie, across it and along it: the sums along them differ most from
 * line to line. The likelier one is first.
 */
export function pageAngles(ink: Ink): readonly [PageAngle, PageAngle] {
  const points = reduced(ink);
  const level = bestSlope(points);
  const { xs, ys, width, height } = points;
  const turned = bestSlope({ xs: ys, ys: xs, width: height, height: width });
  const across = { isSideways: false, degrees: level.degrees, densest: level.densest };
  // Columns that lean to the right are lines that climb.
  const along = { isSideways: true, degrees: -turned.degrees, densest: turned.densest };
  return turned.score > level.score * clearer ? [along, across] : [across, along];
}

/** A few lines have this share of a page's height, and at least so many dots. */
const sampleShare = 0.05;
const leastSample = 100;

/** The part of a page with the densest lines, level, and from the left if the page is sideways. */
export function densestLines(ink: Ink, { isSideways, degrees, densest }: PageAngle): Ink {
  const [width, across] = isSideways ? [ink.height, ink.width] : [ink.width, ink.height];
  const height = Math.min(across, Math.max(leastSample, Math.round(across * sampleShare)));
  const top = Math.min(across - height, Math.max(0, Math.round(densest * across - height / 2)));
  const slope = Math.tan((degrees * Math.PI) / 180);
  const dots = new Uint8Array(width * height);
  for (let x = 0; x < width; x += 1) {
    const shift = top + Math.round((x - width / 2) * slope);
    for (let y = 0; y < height; y += 1) {
      const line = y + shift;
      if (line < 0 || line >= across) continue;
      const from = isSideways ? (width - 1 - x) * ink.width + line : line * ink.width + x;
      dots[y * width + x] = ink.dots[from] ?? 0;
    }
  }
  return { width, height, dots };
}

interface Points {
  readonly xs: Uint16Array;
  readonly ys: Uint16Array;
  readonly width: number;
  readonly height: number;
}

function reduced({ width, height, dots }: Ink): Points {
  const step = Math.max(1, Math.ceil(Math.max(width, height) / reducedSide));
  const [wide, high] = [Math.ceil(width / step), Math.ceil(height / step)];
  const counts = new Uint16Array(wide * high);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / step) * wide;
    for (let x = 0; x < width; x += 1) {
      if (dots[y * width + x] !== 1) continue;
      const at = row + Math.floor(x / step);
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  const [xs, ys]: [number[], number[]] = [[], []];
  const least = (step * step) / 6;
  for (const [at, count] of counts.entries()) {
    if (count <= least) continue;
    xs.push(at % wide);
    ys.push(Math.floor(at / wide));
  }
  return { xs: Uint16Array.from(xs), ys: Uint16Array.from(ys), width: wide, height: high };
}

interface Slope {
  readonly degrees: number;
  readonly score: number;
  readonly densest: number;
}

function bestSlope(points: Points): Slope {
  let best: Slope = { degrees: 0, score: -1, densest: 0.5 };
  const look = (degrees: number): void => {
    const found = slopeOf(points, degrees);
    if (found.score > best.score) best = found;
  };
  look(0);
  for (let at = coarseStep; at <= mostDegrees; at += coarseStep) {
    look(at);
    look(-at);
  }
  const around = best.degrees;
  for (let at = fineStep; at < coarseStep; at += fineStep) {
    look(around + at);
    look(around - at);
  }
  return best;
}

/** The differences between the sums of neighbouring lines that have this slope. */
function slopeOf({ xs, ys, width, height }: Points, degrees: number): Slope {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const margin = Math.ceil(Math.abs(slope) * width) + 1;
  const sums = new Int32Array(height + 2 * margin);
  const middle = width / 2;
  for (let at = 0; at < xs.length; at += 1) {
    const line = Math.round((ys[at] ?? 0) - ((xs[at] ?? 0) - middle) * slope) + margin;
    sums[line] = (sums[line] ?? 0) + 1;
  }
  let score = 0;
  for (let at = 1; at < sums.length; at += 1) {
    score += ((sums[at] ?? 0) - (sums[at - 1] ?? 0)) ** 2;
  }
  return { degrees, score, densest: densest(sums, margin, height) };
}

/** The middle of the part, a twentieth of the height, with the most ink. */
function densest(sums: Int32Array, margin: number, height: number): number {
  const part = Math.max(1, Math.round(height / 20));
  let [sum, most, place] = [0, -1, height / 2];
  for (let at = 0; at < sums.length; at += 1) {
    sum += (sums[at] ?? 0) - (sums[at - part] ?? 0);
    if (sum > most) [most, place] = [sum, at - margin - part / 2];
  }
  return Math.min(1, Math.max(0, place / height));
}

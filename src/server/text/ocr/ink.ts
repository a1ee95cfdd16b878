/** The dark dots of a picture, one byte each: 1 is ink. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly dots: Uint8Array;
}

/**
 * The shortest ruling lines as shares of the shorter side of the picture: half an inch of A4
 * across, and a box of one line down. A letter of their length has thicker strokes than a line.
 */
const across = { share: 0.045, dots: 40, thinness: 10 };
const down = { share: 0.027, dots: 30, thinness: 8 };
/** Lines that are so many times longer may be thicker by as much. */
const lengths = [1, 2];

/**
 * Clears the ruling lines of tables and boxes in place: long and thin runs of ink, across or down.
 * Returns the number of dots that were cleared.
 */
export function clearRules(ink: Ink): number {
  const side = Math.min(ink.width, ink.height);
  const rules = lengths.flatMap((times) => [
    thinRuns(ink, eachRow, eachColumn, longer(side, across, times)),
    thinRuns(ink, eachColumn, eachRow, longer(side, down, times)),
  ]);
  let cleared = 0;
  for (const found of rules) {
    if (found === undefined) continue;
    for (let at = 0; at < ink.dots.length; at += 1) {
      if (found[at] === 0 || ink.dots[at] === 0) continue;
      ink.dots[at] = 0;
      cleared += 1;
    }
  }
  return cleared;
}

interface RuleSize {
  readonly least: number;
  readonly thinness: number;
}

function longer(
  side: number,
  { share, dots, thinness }: { share: number; dots: number; thinness: number },
  times: number,
): RuleSize {
  return { least: Math.max(dots, Math.round(side * share)) * times, thinness };
}

/** Calls `visit` with the first dot, the distance of two dots and the number of each run of ink. */
type EachRun = (
  ink: Ink,
  least: number,
  visit: (start: number, step: number, count: number) => void,
) => void;

/** The long runs, without the parts of areas such as dark headings of a table. */
function thinRuns(ink: Ink, along: EachRun, over: EachRun, size: RuleSize): Uint8Array | undefined {
  const { least, thinness } = size;
  const thickest = Math.max(3, Math.floor(least / thinness));
  let found: Uint8Array | undefined;
  along(ink, least, (start, step, count) => {
    found ??= new Uint8Array(ink.dots.length);
    fill(found, 1, { start, step, count });
  });
  const dots = found;
  if (dots === undefined) return undefined;
  over({ ...ink, dots }, thickest + 1, (start, step, count) =>
    fill(dots, 0, { start, step, count }),
  );
  return dots;
}

function fill(
  dots: Uint8Array,
  value: number,
  { start, step, count }: { start: number; step: number; count: number },
): void {
  for (let index = 0; index < count; index += 1) dots[start + index * step] = value;
}

const eachRow: EachRun = ({ width, height, dots }, least, visit) => {
  for (let y = 0; y < height; y += 1) {
    const end = (y + 1) * width;
    let run = 0;
    for (let at = y * width; at < end; at += 1) {
      if (dots[at] === 1) run += 1;
      else {
        if (run >= least) visit(at - run, 1, run);
        run = 0;
      }
    }
    if (run >= least) visit(end - run, 1, run);
  }
};

/** The rows are read in the order of memory, with a count for each column. */
const eachColumn: EachRun = ({ width, height, dots }, least, visit) => {
  const runs = new Uint32Array(width);
  for (let y = 0; y <= height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const run = runs[x] ?? 0;
      if (y < height && dots[y * width + x] === 1) runs[x] = run + 1;
      else if (run > 0) {
        if (run >= least) visit((y - run) * width + x, width, run);
        runs[x] = 0;
      }
    }
  }
};

/** The ink as a picture file (PGM). */
export function inkPicture({ width, height, dots }: Ink): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + dots.length);
  file.set(header);
  for (let at = 0; at < dots.length; at += 1) file[header.length + at] = dots[at] === 1 ? 0 : 255;
  return file;
}

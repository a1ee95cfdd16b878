import type { Ink } from "./ink.ts";

/** The sizes of ruling lines of dots or dashes, as shares of the shorter side of the picture. */
const sizes = { mark: 0.013, thickness: 0.004, gap: 0.006, across: 0.045, down: 0.027 };
/** A gap is at most so many times as long as the marks around it. */
const gapOfMark = 3;
const marksAtLeast = 8;
/** The share of flat marks; the others are those where lines meet. */
const flatAtLeast = 2 / 3;
/** A page with more marks is a screened photograph or noise, and keeps them. */
const mostMarks = 200_000;
/** Neighbouring marks of one line may differ by so many dots. */
const offset = 2;

/** A spot of ink with nothing around it; `end` and `bottom` are the first dots after it. */
interface Mark {
  readonly x: number;
  readonly end: number;
  readonly y: number;
  readonly bottom: number;
}

/**
 * Clears ruling lines of dots or short dashes in place, across and down: many small marks in a
 * row. Returns the number of dots that were cleared.
 */
export function clearDottedRules(ink: Ink): number {
  const side = Math.min(ink.width, ink.height);
  const length = Math.max(4, Math.round(side * sizes.mark));
  const thickness = Math.max(3, Math.round(side * sizes.thickness));
  const gap = Math.max(4, Math.round(side * sizes.gap));
  const marks = smallMarks(ink, length);
  const turned = ({ x, end, y, bottom }: Mark): Mark => ({ x: y, end: bottom, y: x, bottom: end });
  const found = [
    ...inRows(marks, { thickness, gap, least: side * sizes.across }),
    ...inRows(marks.map(turned), { thickness, gap, least: side * sizes.down }).map(turned),
  ];
  return found.reduce((sum, mark) => sum + cleared(ink, mark), 0);
}

interface RuleSize {
  readonly thickness: number;
  readonly gap: number;
  readonly least: number;
}

interface Row {
  readonly marks: Mark[];
  /** The middle of its last flat mark. */
  middle: number;
  flat: number;
}

/** The marks of long rows with small gaps. */
function inRows(marks: readonly Mark[], { thickness, gap, least }: RuleSize): Mark[] {
  const rows: Row[] = [];
  /** The last row that passes each height. */
  const open = new Map<number, Row>();
  for (const mark of marks.toSorted((one, other) => one.x - other.x)) {
    const isFlat = mark.bottom - mark.y <= thickness;
    const middle = (mark.y + mark.bottom) >> 1;
    let row = rowOf(mark, open, gap);
    if (row === undefined) rows.push((row = { marks: [], middle, flat: 0 }));
    row.marks.push(mark);
    if (isFlat) {
      row.middle = middle;
      row.flat += 1;
    }
    open.set(row.middle, row);
  }
  const rules = rows.filter(({ marks: all, flat }) => {
    const reach = (all.at(-1)?.end ?? 0) - (all[0]?.x ?? 0);
    return flat >= marksAtLeast && flat >= all.length * flatAtLeast && reach >= least;
  });
  return rules.flatMap((row) => row.marks);
}

/** The row that a mark continues: one at its height that ends before it. */
function rowOf(mark: Mark, open: ReadonlyMap<number, Row>, gap: number): Row | undefined {
  for (let at = mark.y - offset; at <= mark.bottom + offset; at += 1) {
    const row = open.get(at);
    const last = row?.marks.at(-1);
    if (last !== undefined && follows(mark, last, gap)) return row;
  }
  return undefined;
}

function follows(mark: Mark, last: Mark, gap: number): boolean {
  const between = mark.x - last.end;
  const longest = Math.max(mark.end - mark.x, last.end - last.x);
  return between >= 0 && between <= Math.min(gap, longest * gapOfMark);
}

/** The spots of ink of at most `length` dots either way, by the runs at their tops. */
function smallMarks(ink: Ink, length: number): Mark[] {
  const { width, height, dots } = ink;
  const marks: Mark[] = [];
  for (let y = 0; y < height; y += 1) {
    const end = (y + 1) * width;
    let run = 0;
    for (let at = y * width; at <= end; at += 1) {
      if (at < end && dots[at] === 1) run += 1;
      else if (run > 0) {
        const x = at - y * width - run;
        const mark = run > length ? undefined : markBelow(ink, { x, end: x + run, y }, length);
        if (mark !== undefined) marks.push(mark);
        if (marks.length > mostMarks) return [];
        run = 0;
      }
    }
  }
  return marks;
}

/** The spot whose top is this run of ink; undefined if ink is above it, or if it is larger. */
function markBelow(
  { width, height, dots }: Ink,
  top: Omit<Mark, "bottom">,
  length: number,
): Mark | undefined {
  let { x, end } = top;
  const hasInk = (from: number, to: number, y: number): boolean => {
    const stop = y * width + Math.min(width, to);
    for (let at = y * width + Math.max(0, from); at < stop; at += 1) {
      if (dots[at] === 1) return true;
    }
    return false;
  };
  if (top.y > 0 && hasInk(x - 1, end + 1, top.y - 1)) return undefined;
  for (let y = top.y + 1; ; y += 1) {
    if (y >= height || !hasInk(x - 1, end + 1, y)) return { x, end, y: top.y, bottom: y };
    if (y - top.y >= length) return undefined;
    while (x > 0 && end - x <= length && dots[y * width + x - 1] === 1) x -= 1;
    while (end < width && end - x <= length && dots[y * width + end] === 1) end += 1;
    if (end - x > length) return undefined;
  }
}

function cleared({ width, dots }: Ink, { x, end, y, bottom }: Mark): number {
  let count = 0;
  for (let line = y; line < bottom; line += 1) {
    for (let at = line * width + x; at < line * width + end; at += 1) {
      count += dots[at] ?? 0;
      dots[at] = 0;
    }
  }
  return count;
}

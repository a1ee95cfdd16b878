import type { Ink } from "./ink.ts";

/**
 * The sizes of ruling lines of dots or dashes, as shares of the shorter side of the picture: a spot
 * of any form is at most a `mark`, and a full bar of ink, or two that meet, may be `thick` and as
 * long as a `dash`.
 */
const sizes = {
  mark: 0.013,
  dash: 0.045,
  thickness: 0.004,
  thick: 0.0055,
  gap: 0.006,
  wide: 0.027,
  across: 0.045,
  down: 0.027,
};
/** A gap is at most so many times as long as the marks around it. */
const gapOfMark = 3;
/** The gap between two dashes is at most so many times as long, and that next to a dot. */
const gapOfDashes = 2;
const gapOfDash = 0.75;
/** A dash is at least so many times as long as it is thick. */
const lengthOfDash = 1.8;
/** The share of a full mark that is ink: round dots have 0.79, letters of this size less. */
const fullAtLeast = 0.72;
const marksAtLeast = 8;
/** Letters that are bars also stand below each other, with gaps as wide as those of dashes. */
const wideMarksAtLeast = 12;
/** The share of flat marks; the others are those where lines meet. */
const flatAtLeast = 2 / 3;
/** A page with more marks, or a larger share of ink, is a photograph or noise, and keeps them. */
const mostMarks = 200_000;
const mostInk = 0.35;
/** Neighbouring marks of one line may differ by so many dots. */
const offset = 2;

/** A spot of ink; `end` and `bottom` are the first dots after it. */
interface Mark {
  readonly x: number;
  readonly end: number;
  readonly y: number;
  readonly bottom: number;
  /** The indexes of its dots. */
  readonly spot: Int32Array;
  /** True if it is all ink, such as a dash. */
  readonly isFull: boolean;
  /** Where the two bars of a crossing or a corner meet. */
  readonly crossing?: { readonly x: number; readonly y: number } | undefined;
}

/** The sizes of marks, in dots. */
interface MarkSize {
  readonly length: number;
  readonly dash: number;
  readonly thick: number;
}

/**
 * Clears ruling lines of dots or short dashes in place, across and down: many small marks in a
 * row. Returns the number of dots that were cleared.
 */
export function clearDottedRules(ink: Ink): number {
  const side = Math.min(ink.width, ink.height);
  const dots = (share: number, least: number): number => Math.max(least, Math.round(side * share));
  const thickness = dots(sizes.thickness, 3);
  const thick = dots(sizes.thick, 3);
  const marks = smallMarks(ink, { length: dots(sizes.mark, 4), dash: side * sizes.dash, thick });
  const common = { thickness, thick, gap: dots(sizes.gap, 4), wide: side * sizes.wide };
  const found = [
    ...inRows(marks, { ...common, least: side * sizes.across, wideMarks: marksAtLeast }),
    ...inRows(marks.map(turned), {
      ...common,
      least: side * sizes.down,
      wideMarks: wideMarksAtLeast,
    }),
  ];
  return found.reduce((sum, mark) => sum + cleared(ink, mark), 0);
}

/** The mark in the picture whose rows are the columns of this one. */
function turned(mark: Mark): Mark {
  const { x, end, y, bottom, crossing } = mark;
  const meeting = crossing && { x: crossing.y, y: crossing.x };
  return { ...mark, x: y, end: bottom, y: x, bottom: end, crossing: meeting };
}

interface RuleSize {
  readonly thickness: number;
  /** The thickness of full marks. */
  readonly thick: number;
  readonly gap: number;
  /** The widest gap next to a dash. */
  readonly wide: number;
  readonly least: number;
  /** The marks of a row that has gaps wider than `gap`. */
  readonly wideMarks: number;
}

interface Row {
  readonly marks: Mark[];
  /** The middle of its last flat mark. */
  middle: number;
  flat: number;
  hasWideGaps: boolean;
}

/** The marks of long rows with small gaps. */
function inRows(marks: readonly Mark[], size: RuleSize): Mark[] {
  const rows: Row[] = [];
  /** The last row that passes each height. */
  const open = new Map<number, Row>();
  for (const mark of marks.toSorted((one, other) => one.x - other.x)) {
    const middle = mark.crossing?.y ?? (mark.y + mark.bottom) >> 1;
    let row = rowOf(mark, open, size);
    if (row === undefined) {
      rows.push((row = { marks: [], middle, flat: 0, hasWideGaps: false }));
    } else if (mark.x - (row.marks.at(-1)?.end ?? 0) > size.gap) row.hasWideGaps = true;
    row.marks.push(mark);
    if (isFlat(mark, size)) {
      row.middle = middle;
      row.flat += 1;
    }
    open.set(row.middle, row);
  }
  const rules = rows.filter(({ marks: all, flat, hasWideGaps }) => {
    const reach = (all.at(-1)?.end ?? 0) - (all[0]?.x ?? 0);
    const least = hasWideGaps ? size.wideMarks : marksAtLeast;
    const others = all.filter(({ crossing }) => crossing === undefined).length;
    return flat >= least && flat >= others * flatAtLeast && reach >= size.least;
  });
  return rules.flatMap((row) => row.marks);
}

function isFlat({ y, bottom, isFull }: Mark, { thickness, thick }: RuleSize): boolean {
  return bottom - y <= (isFull ? thick : thickness);
}

/** The row that a mark continues: one at its height that ends before it. */
function rowOf(mark: Mark, open: ReadonlyMap<number, Row>, size: RuleSize): Row | undefined {
  const { y, bottom, crossing } = mark;
  const [first, last] = crossing === undefined ? [y, bottom] : [crossing.y, crossing.y];
  for (let at = first - offset; at <= last + offset; at += 1) {
    const row = open.get(at);
    // A row that leans has left the heights that it passed.
    const before = row?.middle === at ? row.marks.at(-1) : undefined;
    if (before !== undefined && follows(mark, before, size)) return row;
  }
  return undefined;
}

function follows(mark: Mark, last: Mark, size: RuleSize): boolean {
  const between = mark.x - last.end;
  const longest = Math.max(mark.end - mark.x, last.end - last.x);
  if (between < 0) return false;
  if (between <= Math.min(size.gap, longest * gapOfMark)) return true;
  const both = [mark, last];
  const bars = both.filter((each) => each.crossing !== undefined || isDash(each));
  if (both.some((each) => each.crossing === undefined && !isFlat(each, size))) return false;
  const longestBar = Math.max(0, ...bars.map(({ x, end }) => end - x));
  const factor = bars.length === both.length ? gapOfDashes : gapOfDash;
  return between <= Math.min(size.wide, longestBar * factor);
}

function isDash({ x, end, y, bottom, isFull }: Mark): boolean {
  return isFull && end - x >= (bottom - y) * lengthOfDash;
}

/** The small spots of ink and the dashes. */
function smallMarks({ width, height, dots }: Ink, size: MarkSize): Mark[] {
  const count = dots.reduce((sum, dot) => sum + dot, 0);
  if (count > dots.length * mostInk) return [];
  const marks: Mark[] = [];
  /** The dots of all spots so far, spot after spot. */
  const found = new Int32Array(count);
  const isFound = new Uint8Array(dots.length);
  let end = 0;
  const add = (at: number): void => {
    if (dots[at] !== 1 || isFound[at] === 1) return;
    isFound[at] = 1;
    found[end] = at;
    end += 1;
  };
  for (let at = dots.indexOf(1); at >= 0; at = dots.indexOf(1, at + 1)) {
    if (isFound[at] === 1) continue;
    const start = end;
    add(at);
    for (let next = start; next < end; next += 1) {
      const dot = found[next] ?? 0;
      const [x, y] = [dot % width, Math.floor(dot / width)];
      const [left, right] = [x > 0 ? -1 : 0, x < width - 1 ? 1 : 0];
      for (let line = y > 0 ? -width : 0; line <= (y < height - 1 ? width : 0); line += width) {
        for (let aside = left; aside <= right; aside += 1) add(dot + line + aside);
      }
    }
    const mark =
      end - start > size.dash * size.dash
        ? undefined
        : markOf(found.subarray(start, end), width, size);
    if (mark !== undefined) marks.push(mark);
    if (marks.length > mostMarks) return [];
  }
  return marks;
}

/** The mark of a spot; undefined for one that is larger. */
function markOf(spot: Int32Array, width: number, size: MarkSize): Mark | undefined {
  const { length, dash, thick } = size;
  const columns = spot.map((at) => at % width);
  const [x, end] = [
    columns.reduce((one, other) => Math.min(one, other)),
    columns.reduce((one, other) => Math.max(one, other)) + 1,
  ];
  const y = Math.floor((spot[0] ?? 0) / width);
  const bottom = Math.floor(spot.reduce((one, other) => Math.max(one, other)) / width) + 1;
  const [wide, high] = [end - x, bottom - y];
  const [shorter, longer] = [Math.min(wide, high), Math.max(wide, high)];
  if (longer > dash) return undefined;
  const box = { x, end, y, bottom, spot };
  if (shorter <= thick && spot.length >= wide * high * fullAtLeast) return { ...box, isFull: true };
  if (longer <= length) return { ...box, isFull: false };
  const crossing = crossingIn(box, width, thick);
  return crossing && { ...box, isFull: false, crossing };
}

/** Where the bar across and the bar down of a spot meet; undefined if it has other ink. */
function crossingIn(box: Omit<Mark, "isFull">, width: number, thick: number): Mark["crossing"] {
  const { y, bottom, spot } = box;
  const lines = Array.from({ length: bottom - y }, () => ({ from: width, to: 0 }));
  for (const at of spot) {
    const line = lines[Math.floor(at / width) - y];
    if (line === undefined) continue;
    line.from = Math.min(line.from, at % width);
    line.to = Math.max(line.to, at % width);
  }
  const [top, last] = [lines[0], lines.at(-1)];
  if (top === undefined || last === undefined) return undefined;
  const down = top.to - top.from < last.to - last.from ? top : last;
  if (down.to - down.from >= thick) return undefined;
  const across = [...lines.keys()].filter((line) => {
    const { from = 0, to = 0 } = lines[line] ?? {};
    return from < down.from - offset || to > down.to + offset;
  });
  const [first, final] = [across[0], across.at(-1)];
  if (first === undefined || final === undefined || final - first >= thick) return undefined;
  return { x: (down.from + down.to) >> 1, y: y + ((first + final) >> 1) };
}

/** Clears a mark, which may be in a row across and in one down. */
function cleared({ dots }: Ink, { spot }: Mark): number {
  let count = 0;
  for (const at of spot) {
    count += dots[at] ?? 0;
    dots[at] = 0;
  }
  return count;
}

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
/** The parts of rows that are ink; each takes 20 bytes. A page of A3 at 600 dpi has a million. */
const mostRuns = 4_000_000;
/** Neighbouring marks of one line may differ by so many dots. */
const offset = 2;

/** Dots of a row without a gap, from the index of the first to that after the last. */
interface Part {
  readonly first: number;
  readonly end: number;
}

/** A spot of ink; `end` and `bottom` are the first dots after it. */
interface Mark {
  readonly x: number;
  readonly end: number;
  readonly y: number;
  readonly bottom: number;
  readonly parts: readonly Part[];
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
    inRows(marks, { ...common, least: side * sizes.across, wideMarks: marksAtLeast }),
    inRows(marks.map(turned), {
      ...common,
      least: side * sizes.down,
      wideMarks: wideMarksAtLeast,
    }),
  ];
  // A letter next to a row of dots is as small as the spot where a row across meets one down.
  const [across, down] = found.map((rows) => new Set(rows.flat().map(({ parts }) => parts)));
  const isMeeting = ({ parts }: Mark): boolean =>
    across?.has(parts) === true && down?.has(parts) === true;
  const rules = found.flatMap((rows) =>
    rows.flatMap((row) => withoutLetters(row, common, isMeeting)),
  );
  return rules.reduce((sum, mark) => sum + cleared(ink, mark), 0);
}

/** Flat marks between two letters are points and hyphens; a row goes on with more of them. */
const marksBetweenLetters = 3;

/** The marks of a row without the letters in it and after it, and without their points. */
function withoutLetters(
  row: readonly Mark[],
  size: Pick<RuleSize, "thickness" | "thick">,
  isMeeting: (mark: Mark) => boolean,
): Mark[] {
  const stretches: Mark[][] = [[]];
  for (const mark of row) {
    const isRule = mark.crossing !== undefined || isFlat(mark, size) || isMeeting(mark);
    if (isRule) stretches.at(-1)?.push(mark);
    else stretches.push([]);
  }
  return stretches.filter(({ length }) => length >= marksBetweenLetters).flat();
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
function inRows(marks: readonly Mark[], size: RuleSize): Mark[][] {
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
  const long = rows.filter(({ marks: all, flat, hasWideGaps }) => {
    const reach = (all.at(-1)?.end ?? 0) - (all[0]?.x ?? 0);
    const least = hasWideGaps ? size.wideMarks : marksAtLeast;
    const others = all.filter(({ crossing }) => crossing === undefined).length;
    return flat >= least && flat >= others * flatAtLeast && reach >= size.least;
  });
  return long.map((row) => row.marks);
}

function isFlat(
  { y, bottom, isFull }: Mark,
  { thickness, thick }: Pick<RuleSize, "thickness" | "thick">,
): boolean {
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
function smallMarks(ink: Ink, size: MarkSize): Mark[] {
  const runs = runsOf(ink);
  if (runs === undefined) return [];
  const { first, end, spotOf } = runs;
  /** The runs of each spot: the last one, and the one before each. */
  const last = new Int32Array(first.length).fill(-1);
  const before = new Int32Array(first.length);
  for (let run = 0; run < first.length; run += 1) {
    const spot = spotOf[run] ?? run;
    before[run] = last[spot] ?? -1;
    last[spot] = run;
  }
  const marks: Mark[] = [];
  for (let spot = 0; spot < first.length; spot += 1) {
    if (spotOf[spot] !== spot) continue;
    const parts: Part[] = [];
    // A spot of more runs is larger than any mark.
    const most = size.dash * size.dash;
    for (let run = last[spot] ?? -1; run >= 0 && parts.length <= most; run = before[run] ?? -1) {
      parts.push({ first: first[run] ?? 0, end: end[run] ?? 0 });
    }
    const mark = parts.length > most ? undefined : markOf(parts, ink.width, size);
    if (mark !== undefined) marks.push(mark);
    if (marks.length > mostMarks) return [];
  }
  return marks;
}

/** The dots of rows that are ink without a gap, row after row. */
interface Runs {
  readonly first: Int32Array;
  /** The first dot after each. */
  readonly end: Int32Array;
  /** The first run of the spot to which each belongs. */
  readonly spotOf: Int32Array;
}

/** The runs of a picture; undefined if it is a photograph or noise. */
function runsOf({ width, height, dots }: Ink): Runs | undefined {
  let [count, total] = [0, 0];
  for (let at = 0; at < dots.length; at += 1) {
    if (dots[at] !== 1) continue;
    count += 1;
    if (at % width === 0 || dots[at - 1] !== 1) total += 1;
  }
  if (count > dots.length * mostInk || total > mostRuns) return undefined;
  const [first, end] = [new Int32Array(total), new Int32Array(total)];
  const spotOf = new Int32Array(total);
  let [run, above] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    const [start, after, own] = [y * width, (y + 1) * width, run];
    for (let at = dots.indexOf(1, start); at >= 0 && at < after; at = dots.indexOf(1, at)) {
      const gap = dots.indexOf(0, at);
      first[run] = at;
      spotOf[run] = run;
      at = end[run] = gap < 0 ? after : Math.min(gap, after);
      run += 1;
    }
    joinRows({ first, end, spotOf }, { above, own, next: run }, width);
    above = own;
  }
  for (let at = 0; at < total; at += 1) spotOf[at] = spotOf[spotOf[at] ?? at] ?? at;
  return { first, end, spotOf };
}

/** Joins the spots of the runs from `own` on with those of the row before it, from `above` on. */
function joinRows(
  { first, end, spotOf }: Runs,
  { above, own, next }: { readonly above: number; readonly own: number; readonly next: number },
  width: number,
): void {
  let upper = above;
  for (let run = own; run < next; run += 1) {
    const [left, right] = [(first[run] ?? 0) - width, (end[run] ?? 0) - width];
    while (upper < own && (end[upper] ?? 0) < left) upper += 1;
    // Dots that meet at a corner are one spot.
    for (let at = upper; at < own && (first[at] ?? 0) <= right; at += 1) {
      const [one, other] = [rootOf(spotOf, at), rootOf(spotOf, run)];
      spotOf[Math.max(one, other)] = Math.min(one, other);
    }
  }
}

function rootOf(spotOf: Int32Array, run: number): number {
  let root = run;
  for (let up = spotOf[root] ?? root; up !== root; up = spotOf[root] ?? root) {
    spotOf[root] = spotOf[up] ?? up;
    root = up;
  }
  return root;
}

/** The mark of a spot; undefined for one that is larger. */
function markOf(parts: readonly Part[], width: number, size: MarkSize): Mark | undefined {
  const { length, dash, thick } = size;
  let [x, end, y, bottom, count] = [width, 0, Infinity, 0, 0];
  for (const part of parts) {
    const row = Math.floor(part.first / width);
    x = Math.min(x, part.first - row * width);
    end = Math.max(end, part.end - row * width);
    y = Math.min(y, row);
    bottom = Math.max(bottom, row + 1);
    count += part.end - part.first;
  }
  const [wide, high] = [end - x, bottom - y];
  const [shorter, longer] = [Math.min(wide, high), Math.max(wide, high)];
  if (longer > dash) return undefined;
  const box = { x, end, y, bottom, parts };
  if (shorter <= thick && count >= wide * high * fullAtLeast) return { ...box, isFull: true };
  if (longer <= length) return { ...box, isFull: false };
  const crossing = crossingIn(box, width, thick);
  return crossing && { ...box, isFull: false, crossing };
}

/** Where the bar across and the bar down of a spot meet; undefined if it has other ink. */
function crossingIn(box: Omit<Mark, "isFull">, width: number, thick: number): Mark["crossing"] {
  const { y, bottom, parts } = box;
  const lines = Array.from({ length: bottom - y }, () => ({ from: width, to: 0 }));
  for (const part of parts) {
    const row = Math.floor(part.first / width);
    const line = lines[row - y];
    if (line === undefined) continue;
    line.from = Math.min(line.from, part.first - row * width);
    line.to = Math.max(line.to, part.end - 1 - row * width);
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
function cleared({ dots }: Ink, { parts }: Mark): number {
  let count = 0;
  for (const { first, end } of parts) {
    // The whole part is cleared, or still there.
    if (dots[first] === 1) count += end - first;
    dots.fill(0, first, end);
  }
  return count;
}

import type { TextRun } from "./pdf-runs.ts";

/** Runs next to each other at one height, from the left, in page units, y upwards. */
interface Segment {
  readonly runs: TextRun[];
  readonly start: number;
  end: number;
  readonly y: number;
  readonly size: number;
}

/** Segments of a column at one height, from the left. */
type Line = Segment[];

/** Runs that are read one after the other. */
export interface DrawnBlock {
  readonly runs: readonly TextRun[];
  /** True for a column of running text. */
  readonly isColumn: boolean;
}

interface Gutter {
  readonly x: number;
  /** How many segments lie across it, such as titles. */
  readonly across: number;
}

/** A wider gap, in letter sizes, starts a segment; spaces of justified lines are narrower. */
const segmentGap = 0.7;
/** The least width of a gutter, in letter sizes. */
const gutterWidth = 0.8;
/** The fewest lines of a column. */
const linesAtLeast = 10;
/** The most segments across a gutter, as a share of those on its emptier side. */
const acrossAtMost = 0.4;
/** The least share of neighbours in the order of the drawing that are in different columns. */
const changesAtLeast = 0.3;
/** The fewest letters of the middle line of running text. */
const lettersAtLeast = 15;
/** The least share of the width of its column that the middle line of running text has. */
const fillAtLeast = { withCase: 0.75, withoutCase: 0.85 };
/** The least share of lines that begin with a small letter; cells of tables rarely do. */
const smallAtLeast = 0.35;
const segmentsAtMost = 5_000;

/**
 * The runs of a page column by column, where the page draws the lines of several columns of running
 * text from the top, as if they were one. Other pages are one block in their order, and so are
 * tables, whose cells are short or begin with capitals.
 */
export function drawnBlocks(runs: readonly TextRun[]): readonly DrawnBlock[] {
  const asDrawn = [{ runs, isColumn: false }];
  const segments = segmentsOf(runs);
  if (segments.length < 2 * linesAtLeast || segments.length > segmentsAtMost) return asDrawn;
  const gutters = guttersOf(segments).map(({ x }) => x);
  if (gutters.length === 0) return asDrawn;
  const columnOf = ({ start, end }: Segment): number | undefined => {
    const column = gutters.filter((x) => x <= start).length;
    return end <= (gutters[column] ?? Infinity) ? column : undefined;
  };
  const places = segments.map(columnOf).filter((column) => column !== undefined);
  const changes = places.filter((column, index) => index > 0 && column !== places[index - 1]);
  if (changes.length < changesAtLeast * places.length) return asDrawn;
  const columns = Map.groupBy(segments, columnOf);
  for (let column = 0; column <= gutters.length; column += 1) {
    if (!isRunningText(columns.get(column) ?? [])) return asDrawn;
  }
  const isFromRight = runs.filter((run) => run.isRightToLeft === true).length > runs.length / 2;
  return inBands(segments, columnOf, isFromRight);
}

function segmentsOf(runs: readonly TextRun[]): Segment[] {
  const segments: Segment[] = [];
  let current: Segment | undefined;
  let blanks: TextRun[] = [];
  for (const run of runs) {
    if (run.text.trim() === "") {
      blanks.push(run);
    } else if (current !== undefined && continues(current, run)) {
      current.runs.push(...blanks, run);
      current.end = Math.max(current.end, run.x + run.width);
      blanks = [];
    } else {
      current = { runs: [run], start: run.x, end: run.x + run.width, y: run.y, size: run.size };
      segments.push(current);
      blanks = [];
    }
    if (run.endsLine) current = undefined;
  }
  return segments;
}

function continues({ end, y, size }: Segment, run: TextRun): boolean {
  const gap = run.x - end;
  return Math.abs(run.y - y) < 0.5 * size && gap < segmentGap * size && gap > -0.5 * size;
}

/** The gutters between columns, from the left. */
function guttersOf(segments: readonly Segment[]): Gutter[] {
  const size = middleOf(segments.map((segment) => segment.size));
  const starts = segments.map(({ start }) => start).toSorted((one, other) => one - other);
  const ends = segments.map(({ end }) => end).toSorted((one, other) => one - other);
  const gutters: Gutter[] = [];
  let begun = 0;
  // The place after a segment's end is free up to the next start, but for segments across it.
  for (const [index, end] of ends.entries()) {
    while (begun < starts.length && (starts[begun] ?? 0) < end) begun += 1;
    const [left, right] = [index + 1, starts.length - begun];
    const width = (starts[begun] ?? end) - end;
    const across = begun - left;
    const fewest = Math.min(left - across, right);
    if (fewest < linesAtLeast || across > acrossAtMost * fewest) continue;
    if (width < gutterWidth * size) continue;
    const found = { x: end + width / 2, across };
    const last = gutters.at(-1);
    const isSame = last !== undefined && linesBetween(segments, last.x, found.x) < linesAtLeast;
    if (!isSame) gutters.push(found);
    else if (found.across <= last.across) gutters[gutters.length - 1] = found;
  }
  return gutters;
}

function linesBetween(segments: readonly Segment[], left: number, right: number): number {
  return segments.filter(({ start, end }) => start >= left && end <= right).length;
}

function isRunningText(segments: readonly Segment[]): boolean {
  const lines = linesOf(segments);
  if (lines.length < linesAtLeast) return false;
  const start = Math.min(...segments.map((segment) => segment.start));
  const end = Math.max(...segments.map((segment) => segment.end));
  const texts = lines.map((line) =>
    line.flatMap(({ runs }) => runs.map(({ text }) => text)).join(""),
  );
  if (middleOf(texts.map(({ length }) => length)) < lettersAtLeast) return false;
  const fill = middleOf(
    lines.map((line) => ((line.at(-1)?.end ?? 0) - (line[0]?.start ?? 0)) / (end - start)),
  );
  const cased = texts.filter((text) => /^\W*[\p{Ll}\p{Lu}]/u.test(text)).length;
  if (cased < texts.length / 4) return fill >= fillAtLeast.withoutCase;
  const small = texts.filter((text) => /^\p{Ll}/u.test(text)).length;
  return fill >= fillAtLeast.withCase && small >= smallAtLeast * lines.length;
}

/** The columns between segments that lie across the gutters, and those segments. */
function inBands(
  segments: readonly Segment[],
  columnOf: (segment: Segment) => number | undefined,
  isFromRight: boolean,
): DrawnBlock[] {
  const blocks: DrawnBlock[] = [];
  let band: Segment[] = [];
  const finish = (): void => {
    const columns = [...Map.groupBy(band, columnOf)].toSorted(([one = 0], [other = 0]) =>
      isFromRight ? other - one : one - other,
    );
    for (const [column, within] of columns) {
      blocks.push({ runs: linesOf(within).flatMap(runsOf), isColumn: column !== undefined });
    }
    band = [];
  };
  for (const segment of segments.toSorted((one, other) => other.y - one.y)) {
    const isAcross = columnOf(segment) === undefined;
    const [first] = band;
    if (first !== undefined && (columnOf(first) === undefined) !== isAcross) finish();
    band.push(segment);
  }
  finish();
  return blocks;
}

/** The lines of one column, from the top. */
function linesOf(segments: readonly Segment[]): Line[] {
  const lines: Line[] = [];
  for (const segment of segments.toSorted((one, other) => other.y - one.y)) {
    const last = lines.at(-1);
    const isSame = last?.[0] !== undefined && last[0].y - segment.y < 0.3 * segment.size;
    if (isSame) last.push(segment);
    else lines.push([segment]);
  }
  return lines.map((line) => line.toSorted((one, other) => one.start - other.start));
}

function runsOf(line: Line): TextRun[] {
  return line.flatMap(({ runs }, index) => {
    const isLast = index === line.length - 1;
    return runs.map((run, at): TextRun => {
      if (at < runs.length - 1) return { ...run, endsLine: false };
      const text = isLast || /\s$/.test(run.text) ? run.text : `${run.text} `;
      return { ...run, text, endsLine: isLast };
    });
  });
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

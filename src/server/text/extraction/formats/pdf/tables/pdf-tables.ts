import { headingRows } from "../../../../tables/page-table.ts";
import { cellMarks, cellText, markedRow } from "../../../../tables/table-marks.ts";
import { lineBreak } from "./cell-lines.ts";

/** A word on a page, in page units, y upwards. */
export interface RunWord {
  text: string;
  readonly start: number;
  end: number;
  readonly y: number;
  readonly size: number;
  /** True if a blank follows the word. */
  isDone: boolean;
  /** The recognition of a picture is not sure of it. */
  readonly isUnsure?: true | undefined;
}

/** A cell of a table of the page's structure; numbers begin at 0. */
export interface TaggedCell {
  readonly table: number;
  readonly row: number;
  readonly column: number;
  readonly isHeading: boolean;
}

/** A text on a line between two gaps, in page units, y upwards. */
export interface LinePart {
  text: string;
  readonly words: RunWord[];
  readonly start: number;
  end: number;
  readonly y: number;
  readonly size: number;
  /** The cell of a table that the page's structure names. */
  readonly cell?: TaggedCell | undefined;
}

export interface PositionedTable {
  readonly parts: readonly LinePart[];
  /** The rows of the table as marked lines. */
  readonly text: string;
  /** The words, in the order of the text. */
  readonly words: readonly RunWord[];
}

/** Parts at one height, from the left. */
interface Row {
  readonly parts: LinePart[];
  readonly y: number;
  readonly size: number;
}

interface Column {
  start: number;
  end: number;
}

const partsAtMost = 5_000;
/** Rows farther apart, in letter sizes, belong to two tables. */
const rowGap = 3.2;
const columnsAtMost = 40;
/** Parts that start, end or are centred at one place, in letter sizes, are aligned. */
const alignedWithin = 0.6;

/**
 * Tables by the positions of texts: rows at one height whose parts are aligned in two columns or
 * more. Columns of running text are no table.
 */
export function findTables(parts: readonly LinePart[]): PositionedTable[] {
  if (parts.length > partsAtMost) return [];
  const tables: PositionedTable[] = [];
  for (const region of regionsOf(rowsOf(parts))) {
    const table = tableOf(region);
    const found = table === undefined ? [...likeRows(region)].map(tableOf) : [table];
    tables.push(...found.filter((each) => each !== undefined));
  }
  return tables;
}

/** The parts of a region that is no table in which rows have as many cells as their headings. */
function* likeRows(region: readonly Row[]): Generator<Row[], void, void> {
  let like: Row[] = [];
  for (const row of [...region, undefined]) {
    const [last] = like;
    if (row !== undefined && (last?.parts.length ?? row.parts.length) === row.parts.length) {
      like.push(row);
      continue;
    }
    if (like.length < region.length && haveHeadings(like)) yield like;
    like = row === undefined ? [] : [row];
  }
}

/** True for three headings or more above values, unlike lines of columns of running text. */
function haveHeadings([first, second]: readonly Row[]): boolean {
  const valued = (row: Row | undefined): number =>
    row?.parts.filter(({ text }) => /\d/.test(text)).length ?? 0;
  const columns = first?.parts.length ?? 0;
  return columns > 2 && valued(first) === 0 && valued(second) * 2 >= columns;
}

function rowsOf(parts: readonly LinePart[]): Row[] {
  const rows: Row[] = [];
  for (const part of parts.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row !== undefined && row.y - part.y <= 0.35 * Math.min(row.size, part.size)) {
      row.parts.push(part);
    } else rows.push({ parts: [part], y: part.y, size: part.size });
  }
  for (const { parts: some } of rows) some.sort((a, b) => a.start - b.start);
  return rows;
}

/** Runs of rows with several parts; rows with one part may lie between them. */
function* regionsOf(rows: readonly Row[]): Generator<Row[], void, void> {
  let region: Row[] = [];
  let last = 0;
  const finish = function* (): Generator<Row[], void, void> {
    if (region.slice(0, last).filter(({ parts }) => parts.length > 1).length > 1) {
      yield region.slice(0, last);
    }
    region = [];
    last = 0;
  };
  for (const row of rows) {
    const before = region.at(-1);
    const isAlone = row.parts.length === 1;
    const isFar = before !== undefined && !follows(row, before, region.at(-2));
    const isText = isAlone && (before === undefined || !fitsOneColumn(row, region));
    if (isFar || isText) yield* finish();
    if (isText) continue;
    if (isAlone && region.length === 0) continue;
    region.push(row);
    if (!isAlone || isWrapped(row, before)) last = region.length;
  }
  yield* finish();
}

/** True if a row is near the one before; one with a single part as near as the rows are. */
function follows(row: Row, before: Row, earlier: Row | undefined): boolean {
  const gap = before.y - row.y;
  const size = Math.max(before.size, row.size);
  if (row.parts.length > 1) return gap <= rowGap * size;
  const isLike = Math.abs(before.size - row.size) <= 0.12 * size;
  const usual = earlier === undefined ? 0 : earlier.y - before.y;
  return isLike && gap <= Math.max(1.5 * size, 1.15 * usual);
}

/** True if the only part of a row is below one part of the last row with several. */
function fitsOneColumn({ parts }: Row, region: readonly Row[]): boolean {
  const above = region.findLast((row) => row.parts.length > 1)?.parts ?? [];
  const [part] = parts;
  return part !== undefined && above.filter((each) => overlaps(each, part)).length === 1;
}

/** The next line of a cell that is not in the first column. */
function isWrapped(row: Row, before: Row | undefined): boolean {
  const [part] = row.parts;
  const [first] = before?.parts ?? [];
  if (before === undefined || part === undefined || first === undefined) return false;
  return before.y - row.y <= 1.35 * row.size && part.start > first.end;
}

function overlaps(a: Column, b: Column): boolean {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start) > 0;
}

/** The columns that the parts of several rows have; a part above two columns covers both. */
function columnsOf(rows: readonly Row[]): Column[] {
  const widest = rows.reduce((most, row) => (row.parts.length > most.parts.length ? row : most));
  const columns = widest.parts.map(({ start, end }): Column => ({ start, end }));
  for (const { parts } of rows) {
    for (const part of parts) {
      const met = columns.filter((column) => overlaps(column, part));
      const [only] = met;
      if (only === undefined) {
        columns.push({ start: part.start, end: part.end });
        columns.sort((a, b) => a.start - b.start);
      } else if (met.length === 1) {
        const wider = {
          start: Math.min(only.start, part.start),
          end: Math.max(only.end, part.end),
        };
        if (columns.some((each) => each !== only && overlaps(each, wider))) continue;
        Object.assign(only, wider);
      }
    }
  }
  const all = rows.flatMap(({ parts }) => parts);
  return columns.filter((column) => all.filter((part) => overlaps(column, part)).length > 1);
}

/** The column of a part that is between two, e.g. a heading centred above right-aligned numbers. */
function nearestColumn(part: LinePart, columns: readonly Column[], rows: readonly Row[]): number {
  const next = columns.findIndex(({ start }) => start >= part.end);
  if (next <= 0) return next < 0 ? columns.length - 1 : 0;
  const column = columns[next];
  const before = columns[next - 1];
  if (column === undefined || before === undefined) return next;
  if (part.start - before.end < (column.start - part.end) / 2) return next - 1;
  const starts = rows.flatMap(({ parts }) =>
    parts.flatMap((each) => (overlaps(column, each) ? [each.start] : [])),
  );
  const isLeft = Math.max(...starts) - Math.min(...starts) <= alignedWithin * part.size;
  return isLeft ? next - 1 : next;
}

interface Placed {
  readonly part: LinePart;
  /** The first and last column that it covers. */
  readonly from: number;
  readonly to: number;
}

function placed(row: Row, columns: readonly Column[], rows: readonly Row[]): Placed[] {
  return row.parts.map((part) => {
    const met = columns.flatMap((column, index) => (overlaps(column, part) ? [index] : []));
    const from = met[0] ?? nearestColumn(part, columns, rows);
    return { part, from, to: met.at(-1) ?? from };
  });
}

/** Parts that reach into the column of the next one, as a label before a total, end before it. */
function withoutNext(row: readonly Placed[]): Placed[] {
  return row.map((each, at) => {
    const next = row[at + 1]?.from ?? Infinity;
    return next > each.from && next <= each.to ? { ...each, to: next - 1 } : each;
  });
}

function tableOf(region: readonly Row[]): PositionedTable | undefined {
  const columns = columnsOf(region);
  if (columns.length < 2 || columns.length > columnsAtMost) return undefined;
  const every = region.map((row) => placed(row, columns, region));
  // A note below the table.
  const last = every.findLastIndex((row) => row.some(({ from, to }) => from === to));
  const [rows, cells] = [region.slice(0, last + 1), every.slice(0, last + 1)];
  const several = cells.filter((row) => row.length > 1).length;
  if (several < (columns.length === 2 ? 3 : 2)) return undefined;
  const isEach = columns.map((column, index) => {
    const parts = cells.flatMap((row) =>
      row.filter(({ from, to }) => from === index && to === index).map(({ part }) => part),
    );
    return { parts, isAligned: isAligned(parts), isProse: isProse(parts, column, rows.length) };
  });
  const aligned = isEach.filter((column) => column.parts.length > 1 && column.isAligned).length;
  const all = cells.flat().length;
  const wide = cells.flat().filter(({ from, to }) => to > from).length;
  if (aligned < 2 || aligned < columns.length * 0.6 || wide > all / 4) return undefined;
  if (isEach.some((column) => column.isProse)) return undefined;
  // Two parts of one row in one column: the row is not the table's.
  const doubled = cells.filter((row) =>
    row.some(({ from }, at) => from <= (row[at - 1]?.to ?? -1)),
  );
  if (doubled.length > rows.length / 5) return undefined;
  const table = joined(rows, cells.map(withoutNext), columns);
  if (columns.length === 2 && isGlossary(table)) return undefined;
  const inOrder = table.flatMap((row) => row.toSorted((a, b) => a.from - b.from));
  return {
    parts: rows.flatMap((row) => row.parts),
    text: textOf(table, columns.length),
    words: inOrder.flatMap((cell) => cell.words),
  };
}

function isAligned(parts: readonly LinePart[]): boolean {
  const edges = [
    ({ start }: LinePart) => start,
    ({ end }: LinePart) => end,
    ({ start, end }: LinePart) => (start + end) / 2,
  ];
  return edges.some((edge) => {
    const places = parts.map(edge).toSorted((a, b) => a - b);
    const middle = places[places.length >> 1] ?? 0;
    const size = parts[0]?.size ?? 1;
    const near = places.filter((place) => Math.abs(place - middle) <= alignedWithin * size).length;
    return near >= parts.length * 0.6;
  });
}

/** Lines of running text are long, and end near the same margin. */
function isProse(parts: readonly LinePart[], column: Column, rows: number): boolean {
  if (parts.length < Math.max(4, rows * 0.5)) return false;
  const letters = parts.reduce((sum, { text }) => sum + text.length, 0) / parts.length;
  const full = parts.filter(({ end, size }) => end >= column.end - 4 * size).length;
  return letters > (parts.length < 8 ? 30 : 20) && full >= parts.length * 0.6;
}

/** Numbers or words before paragraphs, as in a list or a bibliography. */
function isGlossary(table: readonly (readonly JoinedCell[])[]): boolean {
  const texts = table.flatMap((row) => row.filter(({ from }) => from === 1).map((c) => c.text));
  return texts.reduce((sum, text) => sum + text.length, 0) > 60 * texts.length;
}

interface JoinedCell {
  text: string;
  readonly words: RunWord[];
  readonly from: number;
  to: number;
  /** Where its last line ends. */
  end: number;
}

/** The rows of the table, where lines of a cell are joined. */
function joined(
  rows: readonly Row[],
  cells: readonly Placed[][],
  columns: readonly Column[],
): JoinedCell[][] {
  const usual = usualGap(rows, cells);
  const table: JoinedCell[][] = [];
  for (const [index, row] of cells.entries()) {
    const gap = (rows[index - 1]?.y ?? 0) - (rows[index]?.y ?? 0);
    const above = table.at(-1);
    const isNext =
      above !== undefined &&
      !isOwnRow(row) &&
      gap < 0.85 * usual &&
      gap <= 1.5 * (rows[index]?.size ?? 0) &&
      row.every(({ from, to }) => above.some((cell) => cell.from <= from && cell.to >= to));
    if (!isNext || above === undefined) {
      table.push(
        row.map(({ part, from, to }) => ({
          text: part.text.trim(),
          words: [...part.words],
          from,
          to,
          end: part.end,
        })),
      );
      continue;
    }
    for (const { part, from } of row) {
      const cell = above.find((each) => each.from <= from && each.to >= from);
      if (cell === undefined) continue;
      cell.text = `${cell.text}${lineBreak(cell, part, edgeOf(cell, part, columns))}${part.text.trim()}`;
      cell.words.push(...part.words);
      cell.end = part.end;
    }
  }
  return table;
}

/**
 * True for a row that is no next line of another: it ends with a label and its value, or most of
 * its three cells or more have a digit.
 */
function isOwnRow(row: readonly Placed[]): boolean {
  const texts = row.map(({ part }) => part.text.trim());
  const [label, value] = texts.slice(-2);
  if (label === undefined || value === undefined) return false;
  if (/\d/.test(value) && /^\p{Lu}[^\d]+$/u.test(label)) return true;
  return texts.length > 2 && texts.filter((text) => /\d/.test(text)).length * 2 > texts.length;
}

/** Free space after the widest line of a column, in letter sizes, that no wrapped line leaves. */
const freeAfter = 3;

/** The place that lines of a cell reach before they are wrapped. */
function edgeOf({ to }: JoinedCell, { size }: LinePart, columns: readonly Column[]): number {
  const free = (columns[to + 1]?.start ?? -Infinity) - freeAfter * size;
  return Math.max(columns[to]?.end ?? 0, free);
}

/** The median distance of rows that have a first cell and another one. */
function usualGap(rows: readonly Row[], cells: readonly Placed[][]): number {
  const places = rows.flatMap(({ y }, index) => {
    const row = cells[index] ?? [];
    return row.length > 1 && row[0]?.from === 0 ? [y] : [];
  });
  const gaps = places.slice(1).map((y, index) => (places[index] ?? y) - y);
  return gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0;
}

function textOf(rows: readonly JoinedCell[][], columns: number): string {
  const grid = rows.map((row) => {
    const cells = Array.from({ length: columns }, () => "");
    for (const { text, from } of row) {
      cells[from] = cells[from] === "" ? text : `${cells[from]} ${text}`;
    }
    return cells.map(cellText);
  });
  // A heading above several columns makes the next row a heading too.
  const groups = rows.findIndex((row) => row.every(({ from, to }) => from === to));
  const header = groups > 0 ? groups + 1 : headingRows(grid);
  return rows
    .map((row, index) => {
      const line: string[] = [];
      for (let column = 0; column < columns; column += 1) {
        const cell = row.find(({ from }) => from === column);
        const covered = cell === undefined ? 1 : cell.to - cell.from + 1;
        const isHeading = index < header;
        line.push(`${cellMarks({ isHeading, columns: covered })}${grid[index]?.[column] ?? ""}`);
        column += covered - 1;
      }
      return markedRow(line, index === 0);
    })
    .join("\n");
}

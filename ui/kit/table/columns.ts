import { clipMiddle, fitText, textWidth, type Align } from "../text/text-layout.ts";
import { cellText } from "#lib/text/terminal.ts";
import type { Token } from "../theme/skin.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly value: (row: Row) => string;
  /** A shorter form for a value that is wider than its cell. */
  readonly shorter?: (row: Row) => string;
  /** Whether another value will follow, such as the name of an id: this one has no width. */
  readonly isPending?: (row: Row) => boolean;
  readonly token?: (row: Row) => Token | undefined;
  readonly align?: Align;
  /** Number of terminal columns; at least the title's width. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** A narrow table keeps the columns with the lowest numbers. */
  readonly priority: number;
  /** Stays at the left when the other columns scroll. */
  readonly pinned?: boolean;
}

export interface FittedColumn<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

export const columnGap = 2;
const defaultMaximum = 40;
/** The least width of a column with longer values: fewer letters of a name say nothing. */
const leastLetters = 10;
/** The minimum width of a pinned column whose values are long enough: up to half of a table. */
const pinnedMinimum = 24;
const pinnedShare = 0.5;
interface WidthRange<Row> {
  readonly column: Column<Row>;
  readonly least: number;
  readonly most: number;
  /** The width without a limit. */
  readonly widest: number;
  /** The width that the shorter values need, where there are any. */
  readonly shortest: number;
  /** The table is sorted by it, so it stays as long as any other one. */
  readonly isSorted: boolean;
  /** No row that was drawn has a value. */
  readonly isEmpty: boolean;
}

/** The widest value of a column, and the widest of the shorter values where it has them. */
export interface Widest {
  readonly value: number;
  readonly shorter: number;
}

const noWidth: Widest = { value: 0, shorter: 0 };

/** The widest values by column, of all rows that were drawn so far: widths grow and never jump. */
export class WidestValues<Row> {
  readonly #widths = new Map<string, Widest>();
  #measured = new WeakSet<object>();
  #columns: readonly Column<Row>[] = [];

  /** The widest value of each column so far, with these rows. */
  with(columns: readonly Column<Row>[], rows: readonly (Row | undefined)[]): readonly Widest[] {
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.#measured = new WeakSet();
    }
    for (const row of rows) {
      if (typeof row !== "object" || row === null || this.#measured.has(row)) continue;
      this.#measured.add(row);
      for (const column of columns) {
        if (column.isPending?.(row) === true) continue;
        const value = textWidth(cellText(column.value(row)));
        const { shorter } = column;
        const short = shorter === undefined ? value : textWidth(cellText(shorter(row)));
        const before = this.#widths.get(column.id) ?? noWidth;
        this.#widths.set(column.id, {
          value: Math.max(value, before.value),
          shorter: Math.max(short, before.shorter),
        });
      }
    }
    return columns.map(({ id }) => this.#widths.get(id) ?? noWidth);
  }
}

/** The width of ` ↓` after the title of the column that the table is sorted by. */
const sortSign = 2;

function widthRangeOf<Row>(
  column: Column<Row>,
  widestOf: Widest,
  { width, isSorted }: { readonly width: number; readonly isSorted: boolean },
): WidthRange<Row> {
  const title = textWidth(column.title) + (isSorted ? sortSign : 0);
  const widest = Math.max(title, widestOf.value);
  const shortest = Math.max(title, widestOf.shorter);
  const maximum = Math.max(title, column.maximum ?? defaultMaximum);
  const most = Math.min(widest, maximum);
  const pinned = Math.min(pinnedMinimum, Math.floor(width * pinnedShare));
  const letters = column.minimum ?? leastLetters;
  const minimum = Math.max(title, letters, column.pinned === true ? pinned : 0);
  const least = Math.min(most, minimum);
  return { column, most, least, widest, shortest, isSorted, isEmpty: widestOf.value === 0 };
}

function leastSum<Row>(ranges: readonly WidthRange<Row>[]): number {
  return ranges.reduce((sum, { least }) => sum + least + columnGap, -columnGap);
}

/** The order in which a narrow table keeps its columns: the name, then the one of its order. */
function rankOf<Row>({ column: { priority }, isSorted }: WidthRange<Row>): number {
  return isSorted && priority > 0 ? 0.5 : priority;
}

/**
 * The columns that fit: without the least important ones until the others do, and with those of
 * them again that have values and for which the left width has room.
 */
function fittingRanges<Row>(
  all: readonly WidthRange<Row>[],
  width: number,
): readonly WidthRange<Row>[] {
  let kept = all;
  const dropped: WidthRange<Row>[] = [];
  while (kept.length > 1 && leastSum(kept) > width) {
    const last = kept.reduce((a, b) => (rankOf(b) >= rankOf(a) ? b : a));
    kept = kept.filter((range) => range !== last);
    dropped.unshift(last);
  }
  const isKept = new Set(kept);
  let spare = width - leastSum(kept);
  for (const range of dropped) {
    const needs = range.least + columnGap;
    if (needs > spare || range.isEmpty) continue;
    isKept.add(range);
    spare -= needs;
  }
  return all.filter((range) => isKept.has(range));
}

/** Gives the free width to the most important columns, up to their maximum, then as they need. */
function spread<Row>(ranges: readonly WidthRange<Row>[], width: number): Map<Column<Row>, number> {
  let spare = Math.max(0, width - leastSum(ranges));
  const widths = new Map<Column<Row>, number>();
  const byPriority = ranges.toSorted((a, b) => a.column.priority - b.column.priority);
  for (const limit of ["most", "widest"] as const) {
    for (const range of byPriority) {
      const taken = widths.get(range.column) ?? range.least;
      const extra = Math.max(0, Math.min(spare, range[limit] - taken));
      spare -= extra;
      widths.set(range.column, Math.min(taken + extra, Math.max(1, width)));
    }
  }
  return widths;
}

/**
 * The visible columns with their widths. Drops the least important columns until the others fit and
 * gives the free width to the most important ones, first up to their maximum, then as much as their
 * values need. A column without the width for its values takes what the shorter ones need.
 * `widest` is the widest value of each column; `skip` unpinned columns are scrolled away;
 * `sortedBy` is the column with the sign of the order.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  widest: readonly Widest[],
  width: number,
  skip = 0,
  sortedBy?: string,
): FittedColumn<Row>[] {
  let skipped = 0;
  let ranges: readonly WidthRange<Row>[] = columns
    .map((column, index) => {
      const isSorted = column.id === sortedBy;
      return widthRangeOf(column, widest[index] ?? noWidth, { width, isSorted });
    })
    .filter(({ column }) => column.pinned === true || skipped++ >= skip);
  ranges = fittingRanges(ranges, width);
  let widths = spread(ranges, width);
  const isCut = ({ column, widest: needs }: WidthRange<Row>) => (widths.get(column) ?? 0) < needs;
  if (ranges.some(isCut)) {
    const shorter = ranges.map((range) => {
      const most = Math.min(range.most, range.shortest);
      return isCut(range) && range.shortest < range.widest
        ? { ...range, most, least: Math.min(range.least, most), widest: range.shortest }
        : range;
    });
    widths = spread(shorter, width);
  }
  return ranges.map(({ column, least }) => ({ column, width: widths.get(column) ?? least }));
}

/** The width of ` +12` at the end of the heading. */
const hiddenMark = 4;

/** The columns of one table, the same object while nothing about them changes. */
export class FittedTable<Row> {
  readonly #values = new WidestValues<Row>();
  #columns: readonly Column<Row>[] = [];
  #key = "";
  #fitted: FittedColumn<Row>[] = [];

  /** Fits the columns to all rows that were drawn so far. */
  fit(
    columns: readonly Column<Row>[],
    rows: readonly (Row | undefined)[],
    width: number,
    skip: number,
    sortedBy?: string,
  ): readonly FittedColumn<Row>[] {
    const widest = this.#values.with(columns, rows);
    const sizes = widest.flatMap(({ value, shorter }) => [value, shorter]);
    const key = [width, skip, sortedBy, ...sizes].join(" ");
    if (columns === this.#columns && key === this.#key) return this.#fitted;
    const room = Math.max(1, width);
    const all = fitColumns(columns, widest, room, skip, sortedBy);
    // Hidden columns need room for their number.
    this.#fitted =
      all.length === columns.length
        ? all
        : fitColumns(columns, widest, Math.max(1, room - hiddenMark), skip, sortedBy);
    [this.#columns, this.#key] = [columns, key];
    return this.#fitted;
  }
}

export function cellOf<Row>({ column, width }: FittedColumn<Row>, row: Row): string {
  const value = column.value(row);
  const { shorter } = column;
  const isCut = shorter !== undefined && textWidth(cellText(value)) > width;
  const text = isCut ? shorter(row) : value;
  // Names often begin alike and differ at their ends.
  return fitText(column.pinned === true ? clipMiddle(text, width) : text, width, column.align);
}

export interface SortMark {
  readonly id: string;
  readonly descending: boolean;
}

import { fitText, textWidth, type Align } from "../text/text-layout.ts";
import { cellText } from "#lib/terminal-text.ts";
import type { Token } from "../theme/theme.ts";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly value: (row: Row) => string;
  /** A shorter form for a value that is wider than its cell. */
  readonly shorter?: (row: Row) => string;
  readonly token?: (row: Row) => Token | undefined;
  readonly align?: Align;
  /** In terminal columns; at least the title's width. */
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
/** The minimum width of a pinned column whose values are long enough. */
const pinnedMinimum = 24;
/** Rows that define the widths, so that scrolling does not change them. */
const sampleRows = 100;

interface WidthRange<Row> {
  readonly column: Column<Row>;
  readonly least: number;
  readonly most: number;
}

function widthRangeOf<Row>(column: Column<Row>, sample: readonly Row[]): WidthRange<Row> {
  // Two columns are for the sign of the order.
  const title = textWidth(column.title) + 2;
  let widest = title;
  for (const row of sample) widest = Math.max(widest, textWidth(cellText(column.value(row))));
  const maximum = Math.max(title, column.maximum ?? defaultMaximum);
  const most = Math.min(widest, maximum);
  const minimum = Math.max(title, column.minimum ?? 0, column.pinned === true ? pinnedMinimum : 0);
  return { column, most, least: Math.min(most, minimum) };
}

function leastSum<Row>(ranges: readonly WidthRange<Row>[]): number {
  return ranges.reduce((sum, { least }) => sum + least + columnGap, -columnGap);
}

/**
 * The visible columns with their widths. Drops the least important columns until the others fit and
 * gives the free width to the most important ones. `skip` unpinned columns are scrolled away.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  sample: readonly Row[],
  width: number,
  skip = 0,
): FittedColumn<Row>[] {
  let skipped = 0;
  const candidates = columns.filter((column) => column.pinned === true || skipped++ >= skip);
  let ranges = candidates.map((column) => widthRangeOf(column, sample.slice(0, sampleRows)));
  while (ranges.length > 1 && leastSum(ranges) > width) {
    const last = ranges.reduce((a, b) => (b.column.priority >= a.column.priority ? b : a));
    ranges = ranges.filter((range) => range !== last);
  }
  let spare = Math.max(0, width - leastSum(ranges));
  const widths = new Map<Column<Row>, number>();
  for (const range of ranges.toSorted((a, b) => a.column.priority - b.column.priority)) {
    const extra = Math.min(spare, range.most - range.least);
    spare -= extra;
    widths.set(range.column, Math.min(range.least + extra, Math.max(1, width)));
  }
  return ranges.map(({ column, least }) => ({ column, width: widths.get(column) ?? least }));
}

export function cellOf<Row>({ column, width }: FittedColumn<Row>, row: Row): string {
  const value = column.value(row);
  const { shorter } = column;
  const isCut = shorter !== undefined && textWidth(cellText(value)) > width;
  return fitText(isCut ? shorter(row) : value, width, column.align);
}

export interface SortMark {
  readonly id: string;
  readonly descending: boolean;
}

import { fitText, textWidth, type Align } from "../text/text-layout.ts";
import { cellText } from "#lib/terminal-text.ts";
import type { Token } from "../theme/theme.ts";

/** A column of a table of `Row`. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly value: (row: Row) => string;
  /** Shown where the value is wider than its cell: it tells the same with less. */
  readonly shorter?: (row: Row) => string;
  readonly token?: (row: Row) => Token | undefined;
  readonly align?: Align;
  /** Columns of the screen; the title's width at least. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Kept longest when the table gets narrow: lower numbers are more important. */
  readonly priority: number;
  /** Stays at the left when the other columns move. */
  readonly pinned?: boolean;
}

export interface FittedColumn<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** Blank columns between two cells. */
export const columnGap = 2;
const defaultMaximum = 40;
/** Columns of the screen that a pinned column has before others are squeezed in beside it. */
const tellingColumns = 24;
/** Rows that widths are taken from; a stable sample keeps columns still while scrolling. */
const sampleRows = 100;

interface Wish<Row> {
  readonly column: Column<Row>;
  readonly least: number;
  readonly wanted: number;
}

function wishOf<Row>(column: Column<Row>, sample: readonly Row[]): Wish<Row> {
  const title = textWidth(column.title) + 2;
  let widest = title;
  for (const row of sample) widest = Math.max(widest, textWidth(cellText(column.value(row))));
  const maximum = Math.max(title, column.maximum ?? defaultMaximum);
  const wanted = Math.min(widest, maximum);
  // A heading that is cut says nothing, nor does one that has lost the sign of the order; and what
  // rows are told apart by must be there before anything else is.
  const minimum = Math.max(title, column.minimum ?? 0, column.pinned === true ? tellingColumns : 0);
  return { column, wanted, least: Math.min(wanted, minimum) };
}

function leastSum<Row>(wishes: readonly Wish<Row>[]): number {
  return wishes.reduce((sum, wish) => sum + wish.least + columnGap, -columnGap);
}

/**
 * Which columns are shown, and how wide. The least important ones go until the rest fits at its
 * least widths; what is left over is shared by how much each still wants. `skip` columns that are
 * not pinned are passed over at the left.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  sample: readonly Row[],
  width: number,
  skip = 0,
): FittedColumn<Row>[] {
  let passed = 0;
  const candidates = columns.filter((column) => column.pinned === true || passed++ >= skip);
  let wishes = candidates.map((column) => wishOf(column, sample.slice(0, sampleRows)));
  while (wishes.length > 1 && leastSum(wishes) > width) {
    const least = wishes.reduce((a, b) => (b.column.priority >= a.column.priority ? b : a));
    wishes = wishes.filter((wish) => wish !== least);
  }
  let spare = Math.max(0, width - leastSum(wishes));
  const byImportance = wishes.toSorted((a, b) => a.column.priority - b.column.priority);
  const widths = new Map<Wish<Row>, number>();
  for (const wish of byImportance) {
    const extra = Math.min(spare, wish.wanted - wish.least);
    spare -= extra;
    widths.set(wish, Math.min(wish.least + extra, Math.max(1, width)));
  }
  return wishes.map((wish) => ({ column: wish.column, width: widths.get(wish) ?? wish.least }));
}

/** A row's cell, fitted to its column. */
export function cellOf<Row>({ column, width }: FittedColumn<Row>, row: Row): string {
  const value = column.value(row);
  const { shorter } = column;
  const isCut = shorter !== undefined && textWidth(cellText(value)) > width;
  return fitText(isCut ? shorter(row) : value, width, column.align);
}

/** The column that a table is sorted by. */
export interface SortMark {
  readonly id: string;
  readonly descending: boolean;
}

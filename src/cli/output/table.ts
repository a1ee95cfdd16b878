import { Shown, shown } from "../shown.ts";

/** One column of a text table. */
export interface Column<Row> {
  readonly heading: string;
  value(row: Row): string | number | undefined | null;
  readonly align?: "right";
  /** Keeps its width while other columns shrink, e.g. IDs. */
  readonly whole?: true;
  /** Left out when the line is too narrow, the last one first. */
  readonly optional?: true;
}

export interface TableOptions {
  /** Width to fit; undefined in a pipe, where no text is cut. */
  readonly columns: number | undefined;
  readonly simple: boolean;
  heading(text: string): Shown;
  /** Receives the headings of the optional columns that did not fit. */
  readonly onDropped?: ((headings: readonly string[]) => void) | undefined;
}

/** The blanks between two columns. */
const gap = 2;
const minimumWidth = 6;
/** An optional column narrower than this is left out. */
const optionalWidth = 12;

/** The columns that fit into `total` at their minimum widths. */
function roomFor<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  total: number | undefined,
): Column<Row>[] {
  const shown = columns.map((column, index) => {
    const width = widths[index] ?? 0;
    const floor = column.optional === true ? optionalWidth : minimumWidth;
    return { column, least: column.whole === true ? width : Math.min(width, floor) };
  });
  const needed = (): number =>
    shown.reduce((all, { least }) => all + least, gap * (shown.length - 1));
  while (total !== undefined && needed() > total) {
    const index = shown.findLastIndex(({ column }) => column.optional === true);
    if (index < 0) break;
    shown.splice(index, 1);
  }
  return shown.map(({ column }) => column);
}

function fit(
  widths: number[],
  shrinkable: readonly boolean[],
  total: number | undefined,
): number[] {
  if (total === undefined) return widths;
  const fitted = [...widths];
  const sum = (): number => fitted.reduce((all, width) => all + width, gap * (fitted.length - 1));
  while (sum() > total) {
    let widest = -1;
    fitted.forEach((width, index) => {
      const may = shrinkable[index] === true && width > minimumWidth;
      if (may && (widest < 0 || width > (fitted[widest] ?? 0))) widest = index;
    });
    if (widest < 0) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

/** Lines of an aligned table with a heading; tab-separated, uncut lines when simple. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions,
): Shown[] {
  // Only a terminal draws some characters wider than their counted width.
  const textOf = (column: Column<Row>, row: Row): Shown => {
    const value = String(column.value(row) ?? "");
    return options.columns === undefined ? shown`${value}` : Shown.cell(value);
  };
  if (options.simple) {
    const lines = rows.map((row) => columns.map((column) => textOf(column, row)));
    const headings = columns.map((column) => column.heading);
    return [headings, ...lines].map((line) => Shown.joined(line, "\t"));
  }
  const natural = columns.map((column) =>
    rows.reduce(
      (width, row) => Math.max(width, textOf(column, row).width),
      shown`${column.heading}`.width,
    ),
  );
  const fitting = roomFor(columns, natural, options.columns);
  const dropped = columns.filter((column) => !fitting.includes(column));
  if (dropped.length > 0) options.onDropped?.(dropped.map(({ heading }) => heading));
  const widths = fit(
    fitting.map((column) => natural[columns.indexOf(column)] ?? 0),
    fitting.map((column) => column.whole !== true),
    options.columns,
  );
  const line = (cell: (column: Column<Row>) => Shown): Shown => {
    const cells = fitting.map((column, index) => {
      const width = widths[index] ?? 0;
      return cell(column).clipped(width).padded(width, column.align);
    });
    return Shown.joined(cells, "  ").trimmed();
  };
  const heading = line((column) => shown`${column.heading.toUpperCase()}`);
  return [
    options.heading(heading.toString()),
    ...rows.map((row) => line((column) => textOf(column, row))),
  ];
}

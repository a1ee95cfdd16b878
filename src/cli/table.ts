import { cellText, plainLine } from "#lib/terminal-text.ts";

/** One column of a text table; the table removes control sequences from `value`. */
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
  heading(text: string): string;
  /** Receives the headings of the optional columns that did not fit. */
  readonly onDropped?: ((headings: readonly string[]) => void) | undefined;
}

const gap = 2;
const minimumWidth = 6;
/** An optional column narrower than this is left out. */
const optionalWidth = 12;

function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  return `${Bun.sliceAnsi(text, 0, Math.max(1, width - 1))}…`;
}

function pad(text: string, width: number, align: "right" | undefined): string {
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
  return align === "right" ? `${space}${text}` : `${text}${space}`;
}

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
): string[] {
  // Only a terminal draws some characters wider than their counted width.
  const clean = options.columns === undefined ? plainLine : cellText;
  const textOf = (column: Column<Row>, row: Row): string => clean(String(column.value(row) ?? ""));
  if (options.simple) {
    const lines = rows.map((row) => columns.map((column) => textOf(column, row)));
    return [columns.map((column) => column.heading), ...lines].map((line) => line.join("\t"));
  }
  const natural = columns.map((column) =>
    rows.reduce(
      (width, row) => Math.max(width, Bun.stringWidth(textOf(column, row))),
      Bun.stringWidth(column.heading),
    ),
  );
  const shown = roomFor(columns, natural, options.columns);
  const dropped = columns.filter((column) => !shown.includes(column));
  if (dropped.length > 0) options.onDropped?.(dropped.map(({ heading }) => heading));
  const widths = fit(
    shown.map((column) => natural[columns.indexOf(column)] ?? 0),
    shown.map((column) => column.whole !== true),
    options.columns,
  );
  const line = (text: (column: Column<Row>) => string): string =>
    shown
      .map((column, index) => {
        const width = widths[index] ?? 0;
        return pad(cut(text(column), width), width, column.align);
      })
      .join(" ".repeat(gap))
      .trimEnd();
  return [
    options.heading(line((column) => column.heading.toUpperCase())),
    ...rows.map((row) => line((column) => textOf(column, row))),
  ];
}

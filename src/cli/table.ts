import { plainLine } from "#lib/terminal-text.ts";

/** One column of a text table; `value` is outside text and is cleaned. */
export interface Column<Row> {
  readonly heading: string;
  value(row: Row): string | number | undefined | null;
  readonly align?: "right";
  /** A column that keeps its width while others shrink, e.g. ids. */
  readonly whole?: true;
}

export interface TableOptions {
  /** Width to fit; undefined in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly simple: boolean;
  heading(text: string): string;
}

const gap = 2;
const minimumWidth = 6;

function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  return `${Bun.sliceAnsi(text, 0, Math.max(1, width - 1))}…`;
}

function pad(text: string, width: number, align: "right" | undefined): string {
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
  return align === "right" ? `${space}${text}` : `${text}${space}`;
}

/** Takes from the widest column that may shrink until the row fits. */
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
  const cells = rows.map((row) =>
    columns.map((column) => plainLine(String(column.value(row) ?? ""))),
  );
  if (options.simple) {
    return [columns.map((column) => column.heading), ...cells].map((line) => line.join("\t"));
  }
  const widths = columns.map((column, index) =>
    Math.max(
      Bun.stringWidth(column.heading),
      ...cells.map((line) => Bun.stringWidth(line[index] ?? "")),
    ),
  );
  const fitted = fit(
    widths,
    columns.map((column) => column.whole !== true),
    options.columns,
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => {
        const width = fitted[index] ?? 0;
        const last = index === texts.length - 1;
        const shown = cut(text, width);
        return last && columns[index]?.align !== "right"
          ? shown
          : pad(shown, width, columns[index]?.align);
      })
      .join(" ".repeat(gap))
      .trimEnd();
  return [
    options.heading(line(columns.map((column) => column.heading.toUpperCase()))),
    ...cells.map(line),
  ];
}

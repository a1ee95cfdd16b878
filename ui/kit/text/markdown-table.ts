import { textWidth } from "./text-layout.ts";

/** Tables of GitHub-flavoured Markdown, as wide as their place: cells wrap, and nothing tears. */

const leastColumn = 6;
const separator = " │ ";
const mostColumns = 40;

export function isFence(line = ""): boolean {
  return /^\s{0,3}(?:```|~~~)/.test(line);
}

/** The cells of a row; a pipe after a backslash or in code is text. */
export function cellsOf(line: string): string[] {
  const cells = [""];
  const inside = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  let isCode = false;
  for (const [part] of inside.matchAll(/\\\||`|\||[^\\`|]+|\\/g)) {
    if (part === "`") isCode = !isCode;
    if (part === "|" && !isCode) cells.push("");
    else cells[cells.length - 1] += part === String.raw`\|` ? "|" : part;
  }
  return cells.map((cell) => cell.trim());
}

function isDelimiter(line = ""): boolean {
  return /^\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes("|");
}

/** The line after the table that begins at `start`; `start` itself if none begins there. */
export function tableEnd(lines: readonly string[], start: number): number {
  const [head = "", delimiter = ""] = lines.slice(start, start + 2);
  if (!head.includes("|") || !isDelimiter(delimiter)) return start;
  if (cellsOf(head).length !== cellsOf(delimiter).length) return start;
  let end = start + 2;
  while (end < lines.length && (lines[end] ?? "").trim() !== "" && !isFence(lines[end])) end += 1;
  return end;
}

/** The text of a cell with its emphasis, on one line. */
function inline(cell: string, colours: boolean): string {
  if (!/[*_`~[\]\\&<#>+-]/.test(cell)) return cell;
  const drawn = Bun.markdown.ansi(cell, { columns: 10_000, colors: colours });
  return drawn.trim().replaceAll(/\s*\n\s*/g, " ");
}

/** The widths of columns that need `natural` ones and share `room`: the widest give way first. */
function columnWidths(natural: readonly number[], room: number): number[] {
  const sum = natural.reduce((all, width) => all + width, 0);
  if (sum <= room) return [...natural];
  let [low, high] = [leastColumn, room];
  const capped = (most: number) => natural.map((width) => Math.min(width, most));
  const total = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total(capped(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  const widths = capped(low);
  let free = room - total(widths);
  return widths.map((width, index) => {
    const more = Math.min(free, (natural[index] ?? width) > width ? 1 : 0);
    free -= more;
    return width + more;
  });
}

function padded(text: string, width: number, align: string): string {
  const blank = Math.max(0, width - Bun.stringWidth(text));
  if (align === "right") return " ".repeat(blank) + text;
  const before = align === "center" ? Math.floor(blank / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(blank - before);
}

function alignOf(delimiter: string): string {
  if (!delimiter.endsWith(":")) return "left";
  return delimiter.startsWith(":") ? "center" : "right";
}

/** Rows as names and values below each other, for a table with more columns than there is room. */
function listed(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...head.flatMap((name, column) => {
      const line = `${name}: ${row[column] ?? ""}`;
      return Bun.wrapAnsi(line, width, { hard: true, trim: false }).split("\n");
    }),
  ]);
}

/** The lines of a table of `lines`, each at most `width` columns wide. */
export function tableLines(lines: readonly string[], width: number, colours: boolean): string[] {
  const [head = [], delimiters = [], ...body] = lines.map(cellsOf);
  const names = head.slice(0, mostColumns).map((cell) => inline(cell, colours));
  const rows = body.map((row) => names.map((_, column) => inline(row[column] ?? "", colours)));
  const natural = names.map((name, column) =>
    Math.max(1, Bun.stringWidth(name), ...rows.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const room = width - (names.length - 1) * textWidth(separator);
  if (room < names.length * leastColumn && natural.reduce((all, one) => all + one, 0) > room) {
    return listed(names, rows, width);
  }
  const widths = columnWidths(natural, room);
  const drawn = (row: readonly string[]): string[] => {
    const cells = row.map((cell, column) =>
      Bun.wrapAnsi(cell, widths[column] ?? 1, { hard: true, trim: true }).split("\n"),
    );
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) =>
          padded(cell[line] ?? "", widths[column] ?? 1, alignOf(delimiters[column] ?? "")),
        )
        .join(separator)
        .trimEnd(),
    );
  };
  const rule = widths.map((each) => "─".repeat(each)).join("─┼─");
  return [...drawn(names), rule, ...rows.flatMap(drawn)];
}

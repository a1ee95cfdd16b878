/**
 * A run of text on a PDF page, in page units (1/72 inch), y upwards; `endsLine` follows the page's
 * own order.
 */
export type TextRun = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  endsLine: boolean;
};

type Line = {
  text: string;
  start: number;
  end: number;
  y: number;
  size: number;
  firstWord: number;
  /** Where the last cell of a table row begins; null on a line without columns. */
  lastCell: number | null;
};

/** A gap on a line wider than this many letter sizes parts two columns. */
const columnGap = 1.6;
/** A line narrower than this many letter sizes is no running text, so its end is meant. */
const runningTextWidth = 18;
const listItem = /^(?:[•·▪◦‣*–-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s/i;

/**
 * Puts a page's runs together as its reader sees them: columns of a table parted by tabs,
 * paragraphs by empty lines, and lines that only the page's width broke joined again (with their
 * hyphen taken out), so that a sentence is one piece that can be searched and quoted.
 */
export function layoutText(runs: readonly TextRun[]): string {
  const lines = collectLines(runs);
  const margins = rightMargins(lines);
  const parts: string[] = [];
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    const separator = next === undefined ? "" : separatorBetween(line, next, margins);
    // The second line of a cell still belongs to its row.
    if (next !== undefined && separator === " ") next.lastCell ??= line.lastCell;
    if (separator !== " " || !/[\p{L}\p{N}]-$/u.test(line.text)) {
      parts.push(line.text, separator);
      return;
    }
    // A hyphen between two small letters was put there by the break, any other belongs to the word
    // ("OG-07").
    const isBreak = /\p{Ll}-$/u.test(line.text) && /^\p{Ll}/u.test(next?.text ?? "");
    parts.push(isBreak ? line.text.slice(0, -1) : line.text);
  });
  return parts.join("");
}

function collectLines(runs: readonly TextRun[]): Line[] {
  const lines: Line[] = [];
  let current: Line | null = null;
  const finish = (): void => {
    if (current !== null && current.text.trim() !== "") {
      lines.push({ ...current, text: current.text.trim() });
    }
    current = null;
  };
  for (const run of runs) {
    if (run.text.trim() === "") {
      if (current !== null && run.text !== "") current.text += " ";
    } else if (current === null) {
      current = {
        text: run.text,
        start: run.x,
        end: run.x + run.width,
        y: run.y,
        size: run.size,
        firstWord: firstWordWidth(run),
        lastCell: null,
      };
    } else {
      if (run.x - current.end > columnGap * current.size) {
        current.text = `${current.text.trimEnd()}\t`;
        current.lastCell = run.x;
      }
      current.text += run.text;
      current.end = Math.max(current.end, run.x + run.width);
      current.size = Math.max(current.size, run.size);
    }
    if (run.endsLine) finish();
  }
  finish();
  return lines;
}

function firstWordWidth(run: TextRun): number {
  const word = /^\S+/.exec(run.text.trimStart())?.[0] ?? "";
  return (run.width * word.length) / Math.max(1, run.text.length);
}

function separatorBetween(
  line: Line,
  next: Line,
  margins: ReadonlyMap<string, number>,
): " " | "\n" | "\n\n" {
  const size = Math.max(line.size, next.size);
  if (Math.abs(line.size - next.size) > 0.12 * size) return "\n\n";
  const leading = line.y - next.y;
  const continues = /\p{Ll}$|[,;-]$/u.test(line.text) && /^\p{Ll}/u.test(next.text);
  // Upwards: the next column, or another text box.
  if (leading < -0.5 * size) return continues ? " " : "\n\n";
  if (next.lastCell !== null && line.lastCell !== null && leading < 3 * size) return "\n";
  if (leading > 1.55 * size) return "\n\n";
  // A table cell of more than one line.
  if (line.lastCell !== null && Math.abs(next.start - line.lastCell) < 0.5 * size) return " ";
  if (line.lastCell !== null || next.lastCell !== null || listItem.test(next.text)) return "\n";
  const margin = rightMargin(line, margins);
  if (margin - line.start < runningTextWidth * size) return "\n";
  // Widths of single words are estimates: only a line that ends well before the margin was meant to
  // end.
  const fits = line.end + size + 1.3 * next.firstWord <= margin;
  return fits && !continues ? "\n" : " ";
}

/**
 * The farthest end of the lines that begin at about the same place in the same size: a column's
 * right edge.
 */
function rightMargins(lines: readonly Line[]): Map<string, number> {
  const margins = new Map<string, number>();
  for (const line of lines) {
    if (line.lastCell !== null) continue;
    const key = columnKey(line, 0);
    margins.set(key, Math.max(margins.get(key) ?? 0, line.end));
  }
  return margins;
}

function rightMargin(line: Line, margins: ReadonlyMap<string, number>): number {
  const near = [-1, 0, 1].map((offset) => margins.get(columnKey(line, offset)) ?? 0);
  return Math.max(line.end, ...near);
}

/**
 * Columns are told apart by steps of two letter sizes: a first line's indent stays in its column.
 */
function columnKey(line: Line, offset: number): string {
  const size = Math.round(line.size);
  return `${size}:${Math.round(line.start / (2 * Math.max(1, size))) + offset}`;
}

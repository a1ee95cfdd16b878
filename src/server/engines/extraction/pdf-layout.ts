/** A run of text on a PDF page, in page units (1/72 inch), y upwards; `endsLine` follows the page's own order. */
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
};

/** A gap on a line wider than this many letter sizes parts two columns. */
const columnGap = 1.6;
/** A line narrower than this many letter sizes is no running text, so its end is meant. */
const runningTextWidth = 18;
const listItem = /^(?:[•·▪◦‣*–-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s/i;

/**
 * Puts a page's runs together as its reader sees them: columns of a table parted by tabs, paragraphs by empty lines,
 * and lines that only the page's width broke joined again (with their hyphen taken out), so that a sentence is
 * one piece that can be searched and quoted.
 */
export function layoutText(runs: readonly TextRun[]): string {
  const lines = collectLines(runs);
  let text = "";
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    text += line.text;
    if (next === undefined) return;
    const separator = separatorBetween(line, next, lines);
    if (separator === " " && /\p{Ll}-$/u.test(line.text) && /^\p{Ll}/u.test(next.text)) {
      text = text.slice(0, -1);
    } else text += separator;
  });
  return text;
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
    const isBlank = run.text.trim() === "";
    if (isBlank) {
      if (current !== null && run.text !== "") {
        current.text += run.width > columnGap * current.size ? "\t" : " ";
      }
    } else if (current === null) {
      current = {
        text: run.text,
        start: run.x,
        end: run.x + run.width,
        y: run.y,
        size: run.size,
        firstWord: firstWordWidth(run),
      };
    } else {
      const gap = run.x - current.end;
      if (gap > columnGap * current.size) current.text = `${current.text.trimEnd()}\t`;
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

function separatorBetween(line: Line, next: Line, lines: readonly Line[]): " " | "\n" | "\n\n" {
  const size = Math.max(line.size, next.size);
  if (Math.abs(line.size - next.size) > 0.12 * size) return "\n\n";
  const leading = line.y - next.y;
  const continues = /\p{Ll}$|[,;-]$/u.test(line.text) && /^\p{Ll}/u.test(next.text);
  // Upwards: the next column, or another text box.
  if (leading < -0.5 * size) return continues ? " " : "\n\n";
  if (leading > 1.55 * size) return "\n\n";
  if (line.text.includes("\t") || next.text.includes("\t") || listItem.test(next.text)) return "\n";
  const margin = rightMargin(line, lines);
  if (margin - line.start < runningTextWidth * size) return "\n";
  const fits = line.end + 0.25 * size + next.firstWord <= margin - 0.1 * size;
  return fits && !continues ? "\n" : " ";
}

/** The right edge of the column that the line stands in: the farthest end of a line that begins where it begins. */
function rightMargin(line: Line, lines: readonly Line[]): number {
  let margin = line.end;
  for (const other of lines) {
    const isSameColumn = Math.abs(other.start - line.start) < 2.5 * line.size;
    const isSameSize = Math.abs(other.size - line.size) < 0.12 * line.size;
    if (isSameColumn && isSameSize && !other.text.includes("\t")) {
      margin = Math.max(margin, other.end);
    }
  }
  return margin;
}

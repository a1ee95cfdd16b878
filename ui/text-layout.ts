import { blockText, cellText } from "#lib/terminal-text.ts";

export type Align = "left" | "right";

/** Columns that a text takes on the screen. */
export function textWidth(text: string): number {
  return Bun.stringWidth(text);
}

/** The longest beginning of at most `width` columns; a wide character is never halved. */
function beginning(text: string, width: number): string {
  const cut = Bun.sliceAnsi(text, 0, width);
  return textWidth(cut) > width ? Bun.sliceAnsi(text, 0, width - 1) : cut;
}

/** The text in exactly `width` columns: padded, or cut with an ellipsis. Made harmless as well. */
export function fitText(text: string, width: number, align: Align = "left"): string {
  if (width <= 0) return "";
  const clean = cellText(text);
  const taken = textWidth(clean);
  if (taken <= width) {
    const blank = " ".repeat(width - taken);
    return align === "left" ? clean + blank : blank + clean;
  }
  const cut = `${beginning(clean, width - 1)}…`;
  return cut + " ".repeat(Math.max(0, width - textWidth(cut)));
}

/** The text in at most `width` columns, not padded. */
export function clipText(text: string, width: number): string {
  return fitText(text, width).trimEnd();
}

/** A path or name in at most `width` columns, losing its middle: both ends say what it is. */
export function clipMiddle(text: string, width: number): string {
  const clean = cellText(text);
  const taken = textWidth(clean);
  if (taken <= width) return clean;
  if (width <= 1) return "…".slice(0, width);
  const tail = Math.floor((width - 1) / 2);
  const head = width - 1 - tail;
  const end = Bun.sliceAnsi(clean, taken - tail, taken);
  return `${beginning(clean, head)}…${textWidth(end) > tail ? end.slice(1) : end}`;
}

/** Clean text in lines of at most `width` columns; the blank that a line is broken at begins none. */
export function brokenLines(clean: string, width: number): string[] {
  return clean.split("\n").flatMap((line) =>
    Bun.wrapAnsi(line, width, { hard: true, trim: false })
      .split("\n")
      // Marks of a quote may stand before the blank.
      .map((part, index) => (index === 0 ? part : part.replace(/^([\u2060\u2061]*) +/, "$1")))
      .filter((part, index) => index === 0 || part !== ""),
  );
}

/** Harmless lines of at most `width` columns, broken between words where that is possible. */
export function wrapText(text: string, width: number): string[] {
  if (width <= 0) return [];
  return brokenLines(blockText(text), width);
}

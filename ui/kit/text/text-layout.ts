import { blockText, cellText, printable, splitGraphemes } from "#lib/text/terminal.ts";

export type Align = "left" | "right";

// Vowel signs next to their consonant, as in Devanagari and Tamil: terminals and Ink give each a
// column, but the runtime's width function does not.
const spacingMark = /\p{Spacing_Mark}/v;

function graphemeWidth(grapheme: string): number {
  let width = 0;
  for (const character of grapheme) {
    width += spacingMark.test(character) ? 1 : Bun.stringWidth(character);
  }
  return width;
}

/** The width of a text in terminal columns. */
export function textWidth(text: string): number {
  if (printable.test(text)) return text.length;
  return spacingMark.test(text) ? graphemeWidth(text) : Bun.stringWidth(text);
}

function countFitting(graphemes: readonly string[], width: number): number {
  let room = width;
  const first = graphemes.findIndex((grapheme) => (room -= graphemeWidth(grapheme)) < 0);
  return first === -1 ? graphemes.length : first;
}

/** The longest start of at most `width` columns, with whole characters. */
function beginning(text: string, width: number): string {
  if (spacingMark.test(text)) {
    const graphemes = splitGraphemes(text);
    return graphemes.slice(0, countFitting(graphemes, width)).join("");
  }
  const cut = Bun.sliceAnsi(text, 0, width);
  return textWidth(cut) > width ? Bun.sliceAnsi(text, 0, width - 1) : cut;
}

export function ending(text: string, width: number): string {
  if (spacingMark.test(text)) {
    const graphemes = splitGraphemes(text);
    const count = countFitting(graphemes.toReversed(), width);
    return graphemes.slice(graphemes.length - count).join("");
  }
  const taken = textWidth(text);
  const cut = Bun.sliceAnsi(text, Math.max(0, taken - width), taken);
  return textWidth(cut) > width ? cut.slice(1) : cut;
}

/** A line broken at `width` columns, between words if possible. */
function brokenLine(line: string, width: number): string[] {
  const broken = (at: number) => Bun.wrapAnsi(line, at, { hard: true, trim: false }).split("\n");
  let parts = broken(width);
  if (!spacingMark.test(line)) return parts;
  // The runtime measures this text too short.
  for (let narrower = width; narrower > 1 && parts.some((part) => textWidth(part) > width);) {
    narrower -= 1;
    parts = broken(narrower);
  }
  return parts;
}

/** The text in exactly `width` columns, padded or cut with an ellipsis, and safe to draw. */
export function fitText(text: string, width: number, align: Align = "left"): string {
  if (width <= 0) return "";
  if (printable.test(text)) {
    if (text.length > width) return `${text.slice(0, width - 1)}…`;
    return align === "left" ? text.padEnd(width) : text.padStart(width);
  }
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

/** A path or name in at most `width` columns, cut in the middle. */
export function clipMiddle(text: string, width: number): string {
  if (text.length <= width && printable.test(text)) return text;
  const clean = cellText(text);
  const taken = textWidth(clean);
  if (taken <= width) return clean;
  if (width <= 1) return "…".slice(0, width);
  const tail = Math.floor((width - 1) / 2);
  const head = width - 1 - tail;
  return `${beginning(clean, head)}…${ending(clean, tail)}`;
}

/** Clean text in lines of at most `width` columns, without the blank at each break. */
export function brokenLines(clean: string, width: number): string[] {
  return clean.split("\n").flatMap((line) =>
    brokenLine(line, width)
      // Marks of a quote may precede the blank.
      .map((part, index) => (index === 0 ? part : part.replace(/^([\u2060\u2061]*) +/, "$1")))
      .filter((part, index) => index === 0 || part !== ""),
  );
}

/** Lines of at most `width` columns, broken between words if possible, and safe to draw. */
export function wrapText(text: string, width: number): string[] {
  if (width <= 0) return [];
  if (text.length <= width && printable.test(text)) return [text];
  return brokenLines(blockText(text), width);
}

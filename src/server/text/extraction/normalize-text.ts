import { cutAt } from "../cut-at-character.ts";

const lineBreaks = /\r\n?|[\u0085\u2028\u2029\f\v]/g;
// Control characters (except line feed and tab), zero-width and direction marks, soft hyphens and
// byte order marks can hide text and break a search.
const invisible = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]",
    "[\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2060\\ufeff]",
    "[\\u202a-\\u202e\\u2066-\\u2069]",
  ].join("|"),
  "g",
);
const wideSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/**
 * Text as it is stored: well-formed, NFC, `\n` line endings, no other control character but `\t`,
 * plain spaces, trimmed lines, at most one empty line in a row.
 */
export function normalizeText(text: string): string {
  const visible = text.includes("\u001b") ? Bun.stripANSI(text) : text;
  return (
    visible
      .toWellFormed()
      .replace(lineBreaks, "\n")
      .replace(invisible, "")
      .replace(wideSpaces, " ")
      .normalize("NFC")
      // A regular expression would take quadratic time on a long run of blanks.
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  );
}

const wordsAtMost = 500;

/** Normalizes metadata, up to 500 code units. A NUL at a title's end is common. */
export function normalizeWords(text: string): string {
  const words = normalizeText(text);
  return words.slice(0, cutAt(words, wordsAtMost));
}

/**
 * Cuts text into one or more pieces of at most `size` code units: in a piece's second half at the
 * last empty line, line end, sentence end or space. Blanks around a cut are dropped.
 */
export function splitLongText(text: string, size: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > size) {
    const end = findCut(text, start, size);
    const piece = text.slice(start, end).trimEnd();
    if (piece !== "") pieces.push(piece);
    start = end;
    while (start < text.length && /\s/.test(text.charAt(start))) start += 1;
  }
  if (start < text.length || pieces.length === 0) pieces.push(text.slice(start));
  return pieces;
}

function findCut(text: string, start: number, size: number): number {
  const window = text.slice(start, start + size);
  for (const boundary of ["\n\n", "\n", ". ", " "]) {
    const at = window.lastIndexOf(boundary);
    if (at >= size / 2) return start + at + boundary.length;
  }
  return Math.max(start + 1, cutAt(text, start + size));
}

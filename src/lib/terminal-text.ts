/** Text from outside must not move the cursor, set a title, write the clipboard or widen a cell. */

// Removes string sequences (OSC, DCS, SOS, PM, APC, up to BEL or ST), control sequences (CSI), and
// ESC with its final byte. A string that never ends loses only its introducer, so that a stray byte
// can't hide the rest of a record; its payload stops at the next introducer, which keeps this
// linear.
const sequences = new RegExp(
  [
    /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)/,
    /(?:\x1b\[|\x9b)[0-?]{0,256}[ -/]{0,16}[@-~]/,
    /\x1b(?:[ -/]{0,16}[0-~])?/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

type Range = readonly [first: number, last: number];

function classOf(...ranges: readonly Range[]): string {
  const hex = (point: number) => `\\u{${point.toString(16)}}`;
  return `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`;
}

/** Characters that are invisible and can reorder, hide or forge the text next to them. */
const invisibleRanges: readonly Range[] = [
  [0xad, 0xad], // soft hyphen
  [0x61c, 0x61c], // Arabic letter mark
  [0x180e, 0x180e], // Mongolian vowel separator
  [0x200b, 0x200b], // zero-width space
  [0x200e, 0x200f], // left-to-right and right-to-left marks
  [0x202a, 0x202e], // bidi embeddings and overrides
  [0x2060, 0x206f], // joiners, invisible operators, bidi isolates
  [0xfeff, 0xfeff], // byte order mark
  [0xfff9, 0xfffb], // interlinear annotation
  [0x1bca0, 0x1bca3], // shorthand format controls
  [0x1d173, 0x1d17a], // musical format controls
  [0xe0000, 0xe007f], // tags
];
const lineEnds = /\r\n?|[\x0b\x0c\x85\u2028\u2029]/g;
const invisible = new RegExp(
  classOf([0, 8], [0xe, 0x1f], [0x7f, 0x84], [0x86, 0x9f], ...invisibleRanges),
  "gu",
);
const suspicious = new RegExp(
  classOf(
    [0, 8],
    [0xb, 0x1f],
    [0x7f, 0x9f],
    [0x2028, 0x2029],
    [0xd800, 0xdfff],
    ...invisibleRanges,
  ),
  "u",
);

/** Text of printable ASCII only, as most is: safe as it is, and one column for each character. */
export const printable = /^[\x20-\x7e]*$/;

/** Several lines without control sequences; keeps LF and TAB, and makes other line ends LF. */
export function plainText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text.toWellFormed().replace(sequences, "").replace(lineEnds, "\n").replace(invisible, "");
}

/** One line of text: as `plainText`, with line ends and tabs as single spaces. */
export function plainLine(text: string): string {
  if (printable.test(text)) return text;
  return plainText(text).replace(/[\t\n]+/g, " ");
}

// Created for the first text that needs it: a segmenter takes longer than a command's start.
let graphemes: Intl.Segmenter | undefined;

/** The user-perceived characters of a text, in order. */
export function splitGraphemes(text: string): string[] {
  if (printable.test(text)) return text.split("");
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), (part) => part.segment);
}

// Characters that join, vary, enclose or tint; terminals disagree about their widths.
const tintRange: Range = [0x1f3fb, 0x1f3ff];
const joinerRanges: readonly Range[] = [
  [0x200c, 0x200d],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
];
const markRanges: readonly Range[] = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0xfe20, 0xfe2f],
];
const widthTrap = new RegExp(classOf(tintRange, ...joinerRanges), "u");
const loneTrap = new RegExp(`^${classOf(...joinerRanges)}`, "u");
const combining = new RegExp(classOf(tintRange, ...joinerRanges, ...markRanges), "u");
const graphemeCodePoints = 4;

function steadyGrapheme(grapheme: string): string {
  if (loneTrap.test(grapheme)) return "";
  const points = Array.from(grapheme);
  const kept = points.length > 1 && widthTrap.test(grapheme) ? 1 : graphemeCodePoints;
  return points.slice(0, kept).join("");
}

function steadyLine(line: string): string {
  if (!combining.test(line)) return line;
  return splitGraphemes(line.normalize("NFC")).map(steadyGrapheme).join("");
}

/** One line for a table cell: `plainLine`, reduced to what every terminal draws equally wide. */
export function cellText(text: string): string {
  if (printable.test(text)) return text;
  return steadyLine(plainLine(text));
}

/** Several lines, each with the widths of `cellText`; tabs become two spaces. */
export function blockText(text: string): string {
  if (printable.test(text)) return text;
  return steadyLine(plainText(text).replaceAll("\t", "  "));
}

/** Equal JSON text with escapes for characters that a terminal would act on or hide. */
export function harmlessJson(text: string): string {
  return text.replace(/[\x7f-\x9f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

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

/**
 * Characters that are invisible and can reorder, hide or forge the text next to them. The classes
 * are texts because every command makes them, and functions that write them from numbers cost more.
 */
const invisibleCharacters = [
  "\\u{ad}", // soft hyphen
  "\\u{61c}", // Arabic letter mark
  "\\u{180e}", // Mongolian vowel separator
  "\\u{200b}", // zero-width space
  "\\u{200e}\\u{200f}", // left-to-right and right-to-left marks
  "\\u{202a}-\\u{202e}", // bidi embeddings and overrides
  "\\u{2060}-\\u{206f}", // joiners, invisible operators, bidi isolates
  "\\u{feff}", // byte order mark
  "\\u{fff9}-\\u{fffb}", // interlinear annotation
  "\\u{1bca0}-\\u{1bca3}", // shorthand format controls
  "\\u{1d173}-\\u{1d17a}", // musical format controls
  "\\u{e0000}-\\u{e007f}", // tags
].join("");
const lineEnds = /\r\n?|[\x0b\x0c\x85\u2028\u2029]/g;
const invisible = new RegExp(
  `[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f${invisibleCharacters}]`,
  "gu",
);
const suspicious = new RegExp(
  `[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff${invisibleCharacters}]`,
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
const tints = "\\u{1f3fb}-\\u{1f3ff}";
const joiners = "\\u{200c}\\u{200d}\\u{20d0}-\\u{20ff}\\u{fe00}-\\u{fe0f}\\u{e0100}-\\u{e01ef}";
const marks =
  "\\u{300}-\\u{36f}\\u{483}-\\u{489}\\u{1ab0}-\\u{1aff}\\u{1dc0}-\\u{1dff}\\u{fe20}-\\u{fe2f}";
const widthTrap = new RegExp(`[${tints}${joiners}]`, "u");
const loneTrap = new RegExp(`^[${joiners}]`, "u");
const combining = new RegExp(`[${tints}${joiners}${marks}]`, "u");
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

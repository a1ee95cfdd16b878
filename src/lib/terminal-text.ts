/**
 * Text from outside made harmless for a terminal. Records, file names, error details and chat
 * answers are written by others; none of their characters may move the cursor, set a title, write
 * the clipboard, reorder a line or widen a cell (stack.md "Client": text loses every control
 * sequence when it enters). JSON output stays as it was: only what is drawn goes through here.
 */

// One pass over three kinds of sequence, longest first: string sequences (OSC, DCS, SOS, PM, APC, up
// to BEL or ST), control sequences (CSI), and ESC with its final byte. A string that never ends loses
// only its introducer: dropping the rest would let a stray byte hide the remainder of a record. Its
// payload stops at the next introducer, which keeps hostile input linear.
const sequences =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]{0,256}[ -/]{0,16}[@-~]|\x1b(?:[ -/]{0,16}[0-~])?/g;

const lineEnds = /\r\n?|[\x0b\x0c\x85\u2028\u2029]/g;
// C0 but TAB and LF, DEL, C1, soft hyphen, zero-width space and marks, bidi controls, word joiner and
// invisible operators, Mongolian vowel separator, byte order mark, interlinear annotation, tags.
const invisible =
  /[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;
const suspicious =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/;

/**
 * Several lines of text with every control sequence, control character, bidi control, tag and lone
 * surrogate taken out. Keeps LF and TAB; CR, CRLF and the Unicode line ends become LF.
 */
export function plainText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text.toWellFormed().replace(sequences, "").replace(lineEnds, "\n").replace(invisible, "");
}

/** One line of text: as `plainText`, with line ends and tabs as single spaces. */
export function plainLine(text: string): string {
  return plainText(text).replace(/[\t\n]+/g, " ");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The user-perceived characters of a text, in order. */
export function splitGraphemes(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  return Array.from(graphemes.segment(text), (part) => part.segment);
}

// Whatever joins, varies, tints or encloses: terminals and width tables disagree about all of it.
const combining =
  /[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u{1f3fb}-\u{1f3ff}\u{e0100}-\u{e01ef}]/u;
const widthTrap = /[\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}\u{e0100}-\u{e01ef}]/u;
const graphemeCodePoints = 4;

function steadyGrapheme(grapheme: string): string {
  const points = Array.from(grapheme);
  const first = points[0] ?? "";
  if (points.length > 1 && widthTrap.test(grapheme)) return widthTrap.test(first) ? "" : first;
  if (points.length === 1 && widthTrap.test(first) && !/[\u{1f3fb}-\u{1f3ff}]/u.test(first)) {
    return "";
  }
  return points.slice(0, graphemeCodePoints).join("");
}

function steadyLine(line: string): string {
  if (!combining.test(line)) return line;
  return splitGraphemes(line.normalize("NFC")).map(steadyGrapheme).join("");
}

/**
 * One line for a table cell: as `plainLine`, and joined emoji, variation selectors, skin tones,
 * keycaps and towers of combining marks are reduced to what every terminal draws at the same width.
 */
export function cellText(text: string): string {
  return steadyLine(plainLine(text));
}

/** Several lines, each with the widths of `cellText`; tabs become two spaces. */
export function blockText(text: string): string {
  return steadyLine(plainText(text).replaceAll("\t", "  "));
}

/** Scans JSON text without parsing it. */

/** Marks outside of strings, by their character codes. A string and a blank are marks too. */
export const mark = {
  blank: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;
const backslash = 0x5c;
const byteOrderMark = 0xfeff;

/** The place within a string at which a text ends: after a character, or after a backslash. */
export type Inside = "string" | "escape" | undefined;

/** `start` is a mark's place, `end` the place of its last character; returns true to stop. */
type Visit = (code: number, start: number, end: number) => boolean | void;

/**
 * Visits the marks of a JSON text in order. A text may be a part of a longer one: `inside` is what
 * the scan of the part before returned.
 */
export function scanJson(text: string, visit: Visit, from = 0, inside?: Inside): Inside {
  let index = from;
  if (inside !== undefined) {
    index = endOfString(text, inside === "escape" ? from + 1 : from);
    if (index === text.length) return insideAt(text, inside === "escape" ? from + 1 : from);
    index += 1;
  }
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    switch (code) {
      case mark.quote: {
        const start = index;
        index = endOfString(text, start + 1);
        if (index === text.length) return insideAt(text, start + 1);
        if (visit(code, start, index) === true) return undefined;
        break;
      }
      case mark.comma:
      case mark.colon:
      case mark.openBracket:
      case mark.closeBracket:
      case mark.openBrace:
      case mark.closeBrace:
        if (visit(code, index, index) === true) return undefined;
        break;
      default:
        // Other control characters, such as those of a binary file, separate nothing.
        if (isBlank(code) && visit(mark.blank, index, index) === true) return undefined;
    }
  }
  return undefined;
}

/** The white space of JSON (RFC 8259, 2), and the byte order mark. */
function isBlank(code: number): boolean {
  if (code > mark.blank) return code === byteOrderMark;
  return code === mark.blank || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The place of the quote that ends the string with its text at `from`, or the text's length. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    if (backslashesBefore(text, end, from) % 2 === 0) return end;
  }
  return text.length;
}

function insideAt(text: string, from: number): Inside {
  return backslashesBefore(text, text.length, from) % 2 === 0 ? "string" : "escape";
}

function backslashesBefore(text: string, end: number, from: number): number {
  let count = 0;
  while (end - count > from && text.charCodeAt(end - 1 - count) === backslash) count += 1;
  return count;
}

/** Counts of a JSON text's parts. */
export interface JsonCounts {
  /** The most brackets that are open at once. */
  readonly depth: number;
  /** Number of names in all objects. */
  readonly names: number;
  /** Values that a comma separates, and one more. */
  readonly values: number;
}

/** Counts in one pass; it reads each body of a request, and a visit for each mark takes longer. */
export function jsonCounts(text: string): JsonCounts {
  let open = 0;
  let depth = 0;
  let names = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case mark.quote:
        index = endOfString(text, index + 1);
        break;
      case mark.openBrace:
      case mark.openBracket:
        open += 1;
        if (open > depth) depth = open;
        break;
      case mark.closeBrace:
      case mark.closeBracket:
        open -= 1;
        break;
      case mark.colon:
        names += 1;
        break;
      case mark.comma:
        values += 1;
        break;
      default:
    }
  }
  return { depth, names, values };
}

/** Far deeper than real data; deeper values overflow the stack when they are written back. */
export const deepestJson = 1_000;

/** The fault of deeper JSON; it completes a sentence that names the place. */
export const nestsTooDeep = `nests deeper than ${deepestJson} levels`;

/** True if JSON text nests too deep to be parsed. */
export function isTooDeep(text: string): boolean {
  return hasMoreBrackets(text, deepestJson) && jsonCounts(text).depth > deepestJson;
}

/** Most texts have few brackets, and counting them is faster than a scan. */
function hasMoreBrackets(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  const bracket = /[[{]/g;
  for (let count = 0; count <= limit; count += 1) if (!bracket.test(text)) return false;
  return true;
}

import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  endOfString,
  openBrace,
  openBracket,
  quote,
} from "./json-text.ts";
import { isJsonObject } from "./json-value.ts";

/**
 * A name may stand more than once in the text of a JSON object, and one of its values is kept: the
 * others are lost without a word, and another reader may keep another one (RFC 8259, 4).
 */

/**
 * The names on the way to the first that stands more than once in its object; undefined for none.
 * `value` is what the text was parsed to.
 */
export function repeatedNameIn(
  text: string,
  value: unknown,
): readonly (string | number)[] | undefined {
  // Counted first: that is all it costs for nearly every text.
  return colonsIn(text) === membersIn(value) ? undefined : pathOfRepeated(text);
}

/** Colons outside of strings: each belongs to one member of an object. */
function colonsIn(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === colon) count += 1;
  }
  return count;
}

/** Members of all objects in a value that was parsed: none of them inherits a name. */
function membersIn(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (typeof item === "object") count += membersIn(item);
  } else if (isJsonObject(value)) {
    // A list of the names or members would cost more than everything else here.
    for (const name in value) {
      count += 1;
      const member = value[name];
      if (typeof member === "object") count += membersIn(member);
    }
  }
  return count;
}

/** An object or a list that is open, and where in it one is. */
interface Open {
  /** Of an object. */
  readonly names: Set<string> | undefined;
  at: string | number;
}

function pathOfRepeated(text: string): readonly (string | number)[] | undefined {
  const open: Open[] = [];
  let string = "";
  for (let index = 0; index < text.length; index += 1) {
    const inner = open.at(-1);
    switch (text.charCodeAt(index)) {
      case quote: {
        const end = endOfString(text, index);
        string = text.slice(index, end + 1);
        index = end;
        break;
      }
      case colon: {
        const name = String(JSON.parse(string));
        if (inner?.names === undefined) break;
        inner.at = name;
        if (inner.names.has(name)) return open.map(({ at }) => at);
        inner.names.add(name);
        break;
      }
      case comma:
        if (typeof inner?.at === "number") inner.at += 1;
        break;
      case openBrace:
        open.push({ names: new Set(), at: "" });
        break;
      case openBracket:
        open.push({ names: undefined, at: 0 });
        break;
      case closeBrace:
      case closeBracket:
        open.pop();
        break;
      default:
    }
  }
  return undefined;
}

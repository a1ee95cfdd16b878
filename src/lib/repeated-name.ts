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

/** Names may repeat in a JSON object, and parsers differ in which value they keep (RFC 8259, 4). */

/** The path of the first repeated name; undefined for none. `value` is the parsed text. */
export function repeatedNameIn(
  text: string,
  value: unknown,
): readonly (string | number)[] | undefined {
  // Counting is enough for nearly every text.
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

function membersIn(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (typeof item === "object") count += membersIn(item);
  } else if (isJsonObject(value)) {
    // A list of the names would cost more than the rest of this function.
    for (const name in value) {
      count += 1;
      const member = value[name];
      if (typeof member === "object") count += membersIn(member);
    }
  }
  return count;
}

/** An open object or list and the position in it. */
interface Open {
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

import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  endOfString,
  openBrace,
  openBracket,
  quote,
} from "#lib/json-text.ts";

/** Names of one object; no schema of the interface comes near. */
const maximumNames = 10_000;
/** Values of a whole body, including the items of lists. */
const maximumValues = 1_000_000;

/** A text with fewer characters has fewer than `maximumNames` names, and is not scanned. */
const smallText = maximumNames * 3;

/**
 * The bound that a JSON text exceeds, as a clause for a message; undefined within bounds. It scans
 * the text, because parsing a million names would block all other requests.
 */
export function beyondBounds(text: string): string | undefined {
  if (text.length < smallText) return undefined;
  /** Names so far of each open object, the outermost first. */
  const names: number[] = [];
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfString(text, index);
        break;
      case colon: {
        const count = (names.at(-1) ?? 0) + 1;
        if (count > maximumNames) return `an object in it has more than ${maximumNames} names`;
        names[names.length - 1] = count;
        break;
      }
      case openBrace:
      case openBracket:
        names.push(0);
        break;
      case closeBrace:
      case closeBracket:
        names.pop();
        break;
      case comma:
        values += 1;
        if (values > maximumValues) return `it has more than ${maximumValues} values`;
        break;
      default:
    }
  }
  return undefined;
}

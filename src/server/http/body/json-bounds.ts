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

/** Names of one object, far beyond what any shape of the interface has: each is checked by itself. */
const maximumNames = 10_000;
/** Values of a whole body, lists' items among them. */
const maximumValues = 1_000_000;

/** A text with fewer characters has less than `maximumNames` names, and is not looked through. */
const smallText = maximumNames * 3;

/**
 * What a body has too much of, as the rest of a sentence; undefined where it is within bounds. Said
 * from its text, since parsing and refusing a million names one by one would hold up everybody.
 */
export function beyondBounds(text: string): string | undefined {
  if (text.length < smallText) return undefined;
  /** Names of each object that is open, from the outermost. */
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

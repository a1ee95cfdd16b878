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

/** Where a string ends that begins at `start`; the text's end when it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const [quote, colon, comma, backslash] = [0x22, 0x3a, 0x2c, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

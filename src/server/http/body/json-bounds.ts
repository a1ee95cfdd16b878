import { jsonCounts, mark, scanJson, type JsonCounts } from "#lib/json/scan.ts";

/** Names of one object; no schema of the interface comes near. */
const maximumNames = 10_000;
/** Values of a whole body, including the items of lists. */
const maximumValues = 1_000_000;

/**
 * The bound that a JSON text exceeds, as a clause for a message; undefined within bounds. It scans
 * the text, because parsing a million names would block all other requests.
 */
export function beyondBounds(
  text: string,
  counts: JsonCounts = jsonCounts(text),
): string | undefined {
  if (counts.names > maximumNames && hasManyNames(text)) {
    return `an object in it has more than ${maximumNames} names`;
  }
  return counts.values > maximumValues ? `it has more than ${maximumValues} values` : undefined;
}

/** True if one object has more names than the bound. */
function hasManyNames(text: string): boolean {
  /** Names so far of each open object, the outermost first. */
  const names: number[] = [];
  let isBeyond = false;
  scanJson(text, (code) => {
    if (code === mark.colon) {
      const count = (names.at(-1) ?? 0) + 1;
      names[names.length - 1] = count;
      isBeyond = count > maximumNames;
    } else if (code === mark.openBrace || code === mark.openBracket) names.push(0);
    else if (code === mark.closeBrace || code === mark.closeBracket) names.pop();
    return isBeyond;
  });
  return isBeyond;
}

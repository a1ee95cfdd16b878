import {
  closeBrace,
  closeBracket,
  endOfString,
  openBrace,
  openBracket,
  quote,
} from "./json-text.ts";

/** Far deeper than real data; deeper values overflow the stack when they are written back. */
export const deepestJson = 1_000;

/** The fault of deeper JSON; it completes a sentence that names the place. */
export const nestsTooDeep = `nests deeper than ${deepestJson} levels`;

/** Whether JSON text nests too deep to be parsed. */
export function isTooDeep(text: string): boolean {
  return text.length > deepestJson && nestsDeeper(text, deepestJson);
}

/** Whether brackets outside of strings nest deeper than `limit`; it bounds later recursion. */
export function nestsDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

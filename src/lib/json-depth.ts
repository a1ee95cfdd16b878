import {
  closeBrace,
  closeBracket,
  endOfString,
  openBrace,
  openBracket,
  quote,
} from "./json-text.ts";

/** Far deeper than any data are; what is deeper can't even be written down again. */
export const deepestJson = 1_000;

/** What is said of JSON that is deeper, as the rest of a sentence that its place begins. */
export const nestsTooDeep = `nests deeper than ${deepestJson} levels`;

/** Whether JSON text nests too deep to be read at all. */
export function isTooDeep(text: string): boolean {
  return text.length > deepestJson && nestsDeeper(text, deepestJson);
}

/** Whether brackets outside of strings open deeper than `limit`: bounds every recursion behind it. */
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

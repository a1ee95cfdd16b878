/**
 * A text without the trailing characters that each match a pattern, e.g. `/[\s.]/`. It is linear,
 * while a pattern with `+$` is quadratic on hostile text.
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * A text without those of its last characters that each fit a pattern, e.g. `/[\s.]/`. A pattern with
 * `+$` would begin anew at each character of a row that something else ends.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

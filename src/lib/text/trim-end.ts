/** A text without its trailing matches; linear, while a pattern with `+$` is quadratic. */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const isWordStart = (text: string, at: number) => at === 0 || /[^a-z0-9]/.test(text[at - 1] ?? "");

/** Where a text has the whole pattern, at the start of a word if it can be; -1 where it has not. */
function wholeIn(pattern: string, text: string): number {
  const first = text.indexOf(pattern);
  for (let at = first; at !== -1; at = text.indexOf(pattern, at + 1)) {
    if (isWordStart(text, at)) return at;
  }
  return first;
}

/**
 * How well a typed pattern fits a text: its letters in order, better at word starts and in a row. What
 * has it as it was typed comes first: `sign in` must not find `sign out` before `sign in by browser`.
 */
function score(pattern: string, text: string): number | undefined {
  const whole = wholeIn(pattern, text);
  if (whole !== -1) {
    const startPoints = isWordStart(text, whole) ? 3 : 0;
    return pattern.length * 5 + startPoints - text.length / 100;
  }
  let points = 0;
  let at = 0;
  let previous = -2;
  for (const letter of pattern) {
    const found = text.indexOf(letter, at);
    if (found === -1) return undefined;
    points += 1 + (found === previous + 1 ? 4 : 0) + (isWordStart(text, found) ? 3 : 0);
    points -= Math.min(3, (found - at) / 8);
    previous = found;
    at = found + letter.length;
  }
  return points - text.length / 100;
}

/** The items whose text fits every word of the pattern, best first; all of them for no pattern. */
export function fuzzyFind<Item>(
  items: readonly Item[],
  pattern: string,
  textOf: (item: Item) => string,
): Item[] {
  const words = pattern
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [...items];
  const scored = items.flatMap((item) => {
    const text = textOf(item).toLowerCase();
    let total = 0;
    for (const word of words) {
      const points = score(word, text);
      if (points === undefined) return [];
      total += points;
    }
    return [{ item, total }];
  });
  return scored.toSorted((a, b) => b.total - a.total).map(({ item }) => item);
}

/** How well a typed pattern fits a text: its letters in order, better at word starts and in a row. */
function score(pattern: string, text: string): number | undefined {
  let points = 0;
  let at = 0;
  let previous = -2;
  for (const letter of pattern) {
    const found = text.indexOf(letter, at);
    if (found === -1) return undefined;
    const startsWord = found === 0 || /[^a-z0-9]/.test(text[found - 1] ?? "");
    points += 1 + (found === previous + 1 ? 4 : 0) + (startsWord ? 3 : 0);
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

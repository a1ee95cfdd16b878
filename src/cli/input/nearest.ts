/** Optimal string alignment distance: insertions, deletions, replacements and swaps of letters. */
function distance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}

/** The known word that the user probably meant; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.slice(0, 64);
  let best: { word: string; distance: number } | undefined;
  for (const candidate of new Set(known)) {
    const apart = distance(typed, candidate);
    if (best === undefined || apart < best.distance) best = { word: candidate, distance: apart };
  }
  return best !== undefined && best.distance <= Math.max(1, Math.floor(typed.length / 3))
    ? best.word
    : undefined;
}

/** The given end, or one unit before it if a cut there would split a surrogate pair. */
export function cutAt(text: string, end: number): number {
  const isAfterHigh = isBetween(text.charCodeAt(end - 1), 0xd800, 0xdbff);
  return isAfterHigh && isBetween(text.charCodeAt(end), 0xdc00, 0xdfff) ? end - 1 : end;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return first <= unit && unit <= last;
}

/** Where to cut a text so that no surrogate pair is parted: there, or one unit before. */
export function cutAt(text: string, end: number): number {
  const isParted = isBetween(text.charCodeAt(end - 1), 0xd800, 0xdbff);
  return isParted && isBetween(text.charCodeAt(end), 0xdc00, 0xdfff) ? end - 1 : end;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return first <= unit && unit <= last;
}

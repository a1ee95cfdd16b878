/** A UUID in small letters, with the hyphens where they were left out (spec 2.7). */
export function canonicalUuid(id: string): string {
  const digits = id.replaceAll("-", "").toLowerCase();
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end))
    .join("-");
}

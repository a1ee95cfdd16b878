export const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID in canonical form; undefined for other text. */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}

/** A UUID of 32 hexadecimal digits, with or without hyphens (spec 2.7), in canonical form. */
export function hyphenatedUuid(id: string): string {
  const digits = id.replaceAll("-", "").toLowerCase();
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end))
    .join("-");
}

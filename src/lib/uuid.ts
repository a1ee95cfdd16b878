/** A UUID (RFC 9562) in canonical, lower-case form. */
export const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID in canonical form, however its letters are written; undefined for other text. */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}

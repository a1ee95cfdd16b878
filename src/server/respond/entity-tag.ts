/** A strong tag from the record's version: it changes with every write. */
export function entityTag(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("version" in body)) return undefined;
  return Number.isSafeInteger(body.version) ? `"${String(body.version)}"` : undefined;
}

/** The answer's own fields with the tag that its body gives it. */
export function withTag(
  body: unknown,
  fields: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const tag = entityTag(body);
  return tag === undefined ? fields : { etag: tag, ...fields };
}

/** A strong tag from the record's version: it changes with every write. */
export function entityTag(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("version" in body)) return undefined;
  return Number.isSafeInteger(body.version) ? versionTag(Number(body.version)) : undefined;
}

/** The tag of a version, where the body itself is not at hand. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/** The answer's own fields with the tag that its body gives it. */
export function withTag(
  body: unknown,
  fields: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const tag = entityTag(body);
  return tag === undefined ? fields : { etag: tag, ...fields };
}

import { Refusal } from "#contract/problems.ts";

/** The strong tag of a body with a `version`, which changes with every write. */
export function entityTag(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("version" in body)) return undefined;
  return Number.isSafeInteger(body.version) ? versionTag(Number(body.version)) : undefined;
}

export function versionTag(version: number): string {
  return `"${version}"`;
}

/** Refuses 412 when `If-Match` does not include the tag: strong comparison (RFC 9110, 13.1.1). */
export function requireTag(field: string | null, tag: string): void {
  if (field === null) return;
  const tags = field.split(",").map((part) => part.trim());
  if (tags.includes("*") || tags.includes(tag)) return;
  throw new Refusal("precondition-failed", {
    detail: `Cannot return this: If-Match does not include the current tag ${tag}`,
  });
}

/** True if `If-None-Match` includes the tag: weak comparison (RFC 9110, 13.1.2). */
export function includesTag(field: string | null, tag: string): boolean {
  if (field === null) return false;
  return field.split(",").some((part) => {
    const given = part.trim();
    return given === "*" || given === tag || given === `W/${tag}`;
  });
}

/** The fields with the body's entity tag, unless they have one. */
export function withTag(
  body: unknown,
  fields: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const tag = entityTag(body);
  return tag === undefined ? fields : { etag: tag, ...fields };
}

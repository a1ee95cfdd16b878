import { Refusal } from "#contract/problems.ts";

/** A strong tag from the record's version: it changes with every write. */
export function entityTag(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("version" in body)) return undefined;
  return Number.isSafeInteger(body.version) ? versionTag(Number(body.version)) : undefined;
}

/** The tag of a version, where the body itself is not at hand. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/** Refuses with 412 when an If-Match field names other tags: strong comparison (RFC 9110, 13.1.1). */
export function requireTag(field: string | null, tag: string): void {
  if (field === null) return;
  const wanted = field.split(",").map((part) => part.trim());
  if (wanted.includes("*") || wanted.includes(tag)) return;
  throw new Refusal("precondition-failed", {
    detail: `Cannot answer with this: If-Match names another than the current ${tag}`,
  });
}

/** Whether an If-None-Match field names this tag: weak comparison (RFC 9110, 13.1.2). */
export function namesTag(field: string | null, tag: string): boolean {
  if (field === null) return false;
  return field.split(",").some((part) => {
    const wanted = part.trim();
    return wanted === "*" || wanted === tag || wanted === `W/${tag}`;
  });
}

/** The answer's own fields with the tag that its body gives it. */
export function withTag(
  body: unknown,
  fields: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const tag = entityTag(body);
  return tag === undefined ? fields : { etag: tag, ...fields };
}

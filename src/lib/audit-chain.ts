import { hash } from "node:crypto";

/** The digest before the first entry of a log. */
export const firstDigest = "";

/** The members of an audit entry that its digest covers, in this order. */
const chainedMembers = [
  "sequence",
  "at",
  "requestId",
  "actor",
  "actorName",
  "action",
  "outcome",
  "status",
  "code",
  "method",
  "path",
  "address",
  "changes",
] as const;

/** An audit entry as far as its digest covers it; a missing member counts as null. */
export type ChainedEntry = { readonly [Name in (typeof chainedMembers)[number]]?: unknown };

/**
 * The digest of an entry, which covers the digest of the entry before it: SHA-256, in base64url,
 * of `previous` and the entry's members as JSON with sorted keys.
 */
export function auditDigest(previous: string, entry: ChainedEntry): string {
  const text = JSON.stringify([previous, ...chainedMembers.map((name) => sorted(entry[name]))]);
  return hash("sha256", text, "base64url");
}

/** The value with the keys of its objects in one order, since databases and clients change it. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(sorted);
  const members: Readonly<Record<string, unknown>> = { ...value };
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  return names.toSorted().map((name) => [name, sorted(members[name])]);
}

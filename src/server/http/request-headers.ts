import { Refusal } from "#contract/problems.ts";
import { faultAt } from "../kit/faults.ts";
import type { VersionMatch } from "../work/caller.ts";

const scheme = /^bearer /i;
const schemeLength = "bearer ".length;
const authorizationLimit = 8_192 + schemeLength;

/**
 * The token of the `Authorization` field (RFC 6750, 2.1); undefined without one. Its verification
 * checks the characters: a pattern here would scan the whole token for each request.
 */
export function bearerToken({ headers }: { readonly headers: Headers }): string | undefined {
  const field = headers.get("authorization");
  if (field === null || field.length > authorizationLimit) return undefined;
  if (!scheme.test(field)) return undefined;
  const token = field.slice(schemeLength).trimStart();
  return token === "" ? undefined : token;
}

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key`; undefined without one. */
export function idempotencyKey(headers: Headers): string | undefined {
  const field = headers.get("idempotency-key");
  if (field === null) return undefined;
  // The draft specifies a quoted string; many clients send a bare one.
  const key = /^"(.*)"$/.exec(field)?.[1] ?? field;
  if (keyPattern.test(key)) return key;
  throw new Refusal("malformed-request", {
    detail: "Cannot use this Idempotency-Key: expected 1 to 255 visible ASCII characters",
    errors: [faultAt("header", ["Idempotency-Key"], "must be 1 to 255 visible ASCII characters")],
  });
}

/** True if `Accept` contains this media type itself (RFC 9110, 12.5.1), not a wildcard. */
export function accepts(headers: Headers, mediaType: string): boolean {
  const field = headers.get("accept");
  if (field === null) return false;
  return field.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === mediaType && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}

/**
 * A parsed `If-Match`: `"3"`, `"3", "4"` or `*`. A weak or foreign tag matches no version, so it
 * fails with 412.
 */
export function ifMatch(headers: Headers): VersionMatch | undefined {
  const field = headers.get("if-match");
  if (field === null) return undefined;
  if (field.trim() === "*") return { any: true, versions: [] };
  const versions = field.split(",").flatMap((tag) => {
    const version = /^\s*"(0|[1-9]\d{0,14})"\s*$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return { any: false, versions };
}

/** The header fields of a HEAD request: only GET has ranges (RFC 9110, 14.2). */
export function withoutRange(given: Headers): Headers {
  if (!given.has("range")) return given;
  const headers = new Headers(given);
  headers.delete("range");
  return headers;
}

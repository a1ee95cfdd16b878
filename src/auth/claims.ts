import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";

/** Claims of a token whose signature is not checked: for display only. */
export interface TokenClaims {
  readonly subject: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly issuer: string | undefined;
  /** Unix time of the expiry, in seconds. */
  readonly expiresAtSeconds: number | undefined;
}

const longestToken = 64 * 1024;

/** The claims of a JWT; an opaque token has none. */
export function readClaims(token: string): TokenClaims {
  const parts = token.length > longestToken ? [] : token.split(".");
  const payload = parts.length === 3 ? parts[1] : undefined;
  const json = Buffer.from(payload ?? "", "base64url").toString("utf8");
  const claims = membersOf(parsedJson(json));
  const text = (name: string) => filledText(claims?.get(name));
  const expires = claims?.get("exp");
  return {
    subject: text("oid") ?? text("sub"),
    email: text("email") ?? text("preferred_username"),
    name: text("name"),
    issuer: text("iss"),
    expiresAtSeconds: typeof expires === "number" && Number.isFinite(expires) ? expires : undefined,
  };
}

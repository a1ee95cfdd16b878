import { filledText, membersOf, parsedJson } from "#lib/json-value.ts";

/** Claims of a token whose signature is not checked: for display only. */
export interface TokenClaims {
  readonly subject: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly issuer: string | undefined;
  /** Seconds since 1970. */
  readonly expiresAtSeconds: number | undefined;
}

const noClaims: TokenClaims = {
  subject: undefined,
  email: undefined,
  name: undefined,
  issuer: undefined,
  expiresAtSeconds: undefined,
};

const longestToken = 64 * 1024;

/** The claims of a JWT; an opaque token has none. */
export function readClaims(token: string): TokenClaims {
  const parts = token.split(".");
  const payload = parts[1];
  if (parts.length !== 3 || payload === undefined || token.length > longestToken) return noClaims;
  const claims = membersOf(parsedJson(Buffer.from(payload, "base64url").toString("utf8")));
  if (claims === undefined) return noClaims;
  const text = (name: string) => filledText(claims.get(name));
  const expires = claims.get("exp");
  return {
    subject: text("oid") ?? text("sub"),
    email: text("email") ?? text("preferred_username"),
    name: text("name"),
    issuer: text("iss"),
    expiresAtSeconds: typeof expires === "number" && Number.isFinite(expires) ? expires : undefined,
  };
}

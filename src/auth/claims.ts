/** Who a token speaks for, read without checking its signature: for display only, never for trust. */
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
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return noClaims;
  }
  if (typeof value !== "object" || value === null) return noClaims;
  const claims = new Map<string, unknown>(Object.entries(value));
  const text = (name: string) => {
    const claim = claims.get(name);
    return typeof claim === "string" && claim !== "" ? claim : undefined;
  };
  const expires = claims.get("exp");
  return {
    subject: text("oid") ?? text("sub"),
    email: text("email") ?? text("preferred_username"),
    name: text("name"),
    issuer: text("iss"),
    expiresAtSeconds: typeof expires === "number" && Number.isFinite(expires) ? expires : undefined,
  };
}

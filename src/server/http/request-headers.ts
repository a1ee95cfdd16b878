import type { Exchange } from "./exchange.ts";

const scheme = /^bearer /i;
const schemeLength = "bearer ".length;
const fieldLimit = 8_192 + schemeLength;

/**
 * The token of the request's `Authorization` field (RFC 6750, 2.1); undefined without one. Its
 * characters are left to its verification: a pattern would go through all of them for each request.
 */
export function bearerToken({ headers }: Pick<Exchange, "headers">): string | undefined {
  const field = headers.get("authorization");
  if (field === null || field.length > fieldLimit) return undefined;
  if (!scheme.test(field)) return undefined;
  const token = field.slice(schemeLength).trimStart();
  return token === "" ? undefined : token;
}

import { Refusal } from "#contract/problems.ts";
import type { Exchange } from "./exchange.ts";

/** The token of the request's `Authorization` field (RFC 6750, 2.1); undefined without one. */
export function bearerToken({ headers }: Exchange): string | undefined {
  const field = headers.get("authorization");
  return field === null ? undefined : /^Bearer +([\w~+/.=-]{1,8192})$/i.exec(field)?.[1];
}

/** 401 for a request without a token, which so says nothing of an error (RFC 6750, 3.1). */
export function unauthenticated(): Refusal {
  return new Refusal("unauthenticated", {
    detail: "This address needs an access token: Authorization: Bearer …",
    headers: { "www-authenticate": 'Bearer realm="svc"' },
  });
}

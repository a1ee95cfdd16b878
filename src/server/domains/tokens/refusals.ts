import { errors } from "jose";
import { Refusal } from "#contract/problems.ts";

/** 401 for a token that does not hold, as RFC 6750 says it; never with a part of the token. */
export function invalidToken(cause?: unknown): Refusal {
  return new Refusal("token-invalid", {
    detail: "Cannot accept this access token",
    headers: { "www-authenticate": 'Bearer realm="svc", error="invalid_token"' },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** 401 for an access token whose time has run out (RFC 6750, 3.1). */
export function expiredToken(): Refusal {
  return new Refusal("token-expired", {
    detail: "Cannot accept this access token: its time has run out",
    headers: {
      "www-authenticate":
        'Bearer realm="svc", error="invalid_token", error_description="The token has expired"',
    },
  });
}

/** What a failed verification is answered with; a provider out of reach stays a 503. */
export function tokenRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof errors.JWTExpired) return expiredToken();
  if (error instanceof errors.JWKSTimeout) {
    return new Refusal("storage-unavailable", {
      detail: "Cannot check access tokens: the identity provider does not answer",
      headers: { "retry-after": "2" },
      cause: error,
    });
  }
  return invalidToken(error);
}

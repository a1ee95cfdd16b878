import { errors } from "jose";
import { Refusal } from "#contract/problems.ts";
import { invalidToken } from "../identity/service.ts";

/** 401 for an expired access token (RFC 6750, 3.1). */
export function expiredToken(): Refusal {
  return new Refusal("token-expired", {
    detail: "Cannot accept this access token: it has expired",
    headers: {
      "www-authenticate":
        'Bearer realm="svc", error="invalid_token", error_description="The token has expired"',
    },
  });
}

/**
 * The error of a failed verification: 401 only for what is wrong with the token itself. A failure
 * of the storage or of the provider that has the keys stays what it is.
 */
export function tokenFailure(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return expiredToken();
  if (error instanceof errors.JWKSTimeout) {
    return providerUnavailable("the identity provider does not answer", error);
  }
  return error instanceof errors.JOSEError ? invalidToken(error) : error;
}

/** 503 that says why the provider's tokens cannot be checked. */
export function providerUnavailable(reason: string, cause: unknown): Refusal {
  return new Refusal("storage-unavailable", {
    detail: `Cannot check access tokens: ${reason}`,
    headers: { "retry-after": "2" },
    cause,
  });
}

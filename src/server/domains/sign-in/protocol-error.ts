/** Error codes of the OAuth endpoints (RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 8628, 3.5). */
export type ProtocolErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "authorization_pending"
  | "slow_down"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "access_denied"
  | "expired_token";

/** A refusal with an OAuth error code; the OAuth endpoints send no problem bodies. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  constructor(
    readonly code: ProtocolErrorCode,
    message: string,
  ) {
    super(message);
  }
}

import { secretFormats } from "../secret-formats.ts";

/** Paths of the OpenID Connect endpoints. No schema library is imported. */

/** Below `{base_url}`; the issuer of the embedded platform is `{base_url}/auth`. */
export const authPath = "/auth";

/** Below the issuer; token and authorize paths are from the specification (part 5). */
export const signInPaths = {
  discovery: "/.well-known/openid-configuration",
  keys: "/jwks.json",
  authorize: "/oauth2/v2.0/authorize",
  token: "/oauth2/v2.0/token",
  deviceAuthorization: "/oauth2/v2.0/devicecode",
  device: "/device",
  revocation: "/oauth2/v2.0/revoke",
  userInfo: "/oauth2/v2.0/userinfo",
  endSession: "/oauth2/v2.0/logout",
  invitation: "/invitation",
  factors: "/factors",
  password: "/password",
  registration: "/oauth2/v2.0/register",
} as const;

/** The public client of `svc login`. */
export const commandClientId = "svc";
/** First part of the client ids of agents that registered themselves. */
export const agentClientPrefix = "agent.";
export const commandScopes = ["openid", "profile", "email", "offline_access"] as const;
/** Loopback redirect (RFC 8252): any port, this path. */
export const loopbackRedirectPath = "/callback";
/** The beginning of each token of a service account's key. */
export const serviceKeyPrefix = secretFormats.serviceKey.prefix;
/** The longest life of an access token; only `svc serve token` makes such long ones. */
export const longestTokenMs = 30 * 24 * 60 * 60 * 1000;
/** The claim `aud` of access tokens. */
export const tokenAudience = "svc-platform";

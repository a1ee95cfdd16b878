import { authPath, commandScopes, signInPaths } from "#contract/access/sign-in.ts";
import { tokenAlgorithm } from "../tokens/service.ts";

export const grantTypes = {
  code: "authorization_code",
  refresh: "refresh_token",
  device: "urn:ietf:params:oauth:grant-type:device_code",
} as const;

/** `none` is for the command; apps have a secret. */
const authenticationMethods = ["none", "client_secret_basic", "client_secret_post"];

/** The discovery document (OpenID Connect Discovery 1.0, RFC 8414). */
export function discoveryDocument(baseUrl: string): Readonly<Record<string, unknown>> {
  const issuer = baseUrl + authPath;
  return {
    issuer,
    authorization_endpoint: issuer + signInPaths.authorize,
    token_endpoint: issuer + signInPaths.token,
    jwks_uri: issuer + signInPaths.keys,
    userinfo_endpoint: issuer + signInPaths.userInfo,
    device_authorization_endpoint: issuer + signInPaths.deviceAuthorization,
    revocation_endpoint: issuer + signInPaths.revocation,
    registration_endpoint: issuer + signInPaths.registration,
    end_session_endpoint: issuer + signInPaths.endSession,
    scopes_supported: commandScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: Object.values(grantTypes),
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [tokenAlgorithm],
    token_endpoint_auth_methods_supported: authenticationMethods,
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    code_challenge_methods_supported: ["S256"],
    prompt_values_supported: ["none", "login", "consent"],
    claims_supported: ["sub", "oid", "email", "name", "auth_time", "nonce"],
    authorization_response_iss_parameter_supported: true,
  };
}

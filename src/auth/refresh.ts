import * as oauth from "oauth4webapi";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { providerError, publicClient, requestSettings, toTokenSet } from "./provider.ts";
import type { ProviderOptions } from "./provider.ts";
import type { TokenSet } from "./surface.ts";

/** Refusals after which only a new sign-in helps (RFC 6749, 5.2). */
const endingErrors: ReadonlySet<string> = new Set(["invalid_grant", "interaction_required"]);

/** All asymmetric algorithms, since a refresh does not read the discovery document. */
const signingAlgorithms =
  "ES256 ES384 ES512 RS256 RS384 RS512 PS256 PS384 PS512 EdDSA Ed25519".split(" ");

/**
 * Exchanges the refresh token at the endpoint that issued it. `ended`: the sign-in has ended.
 * Throws E201 when the provider can't be reached, E104 for other refusals. Call it under the token
 * lock: a provider treats a rotated token that is used twice as stolen.
 */
export async function renewTokens(
  tokens: TokenSet,
  options: ProviderOptions,
  nowMs: number,
): Promise<TokenSet | "ended"> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) return "ended";
  const endpoint = new URL(tokens.tokenEndpoint);
  const server = {
    issuer: tokens.issuer,
    token_endpoint: tokens.tokenEndpoint,
    id_token_signing_alg_values_supported: signingAlgorithms,
  };
  const client = publicClient(tokens.clientId);
  const settings = requestSettings(endpoint, options);
  const none = oauth.None();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        none,
        refreshToken,
        settings,
      );
      if (response.status >= 500) {
        throw catalogError("E104", {
          details: `the identity provider failed with HTTP ${response.status}`,
        });
      }
      const answer = await oauth.processRefreshTokenResponse(server, client, response);
      return toTokenSet(answer, { server, client }, nowMs, tokens);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof oauth.ResponseBodyError && endingErrors.has(error.error)) return "ended";
      const reason = error instanceof CatalogError ? error : providerError(error, endpoint);
      // The response may be lost after the token was rotated. Within a grace period the provider
      // sends the new token again; without one the sign-in has ended either way.
      if (reason.code !== "E201" || attempt === 2) throw reason;
    }
  }
}

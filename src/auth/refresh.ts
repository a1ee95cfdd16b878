import * as oauth from "oauth4webapi";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { providerError, publicClient, requestSettings, toTokenSet } from "./provider.ts";
import type { ProviderOptions } from "./provider.ts";
import type { TokenSet } from "./surface.ts";

/** Refusals that only a new sign-in mends (RFC 6749, 5.2). */
const endingErrors: ReadonlySet<string> = new Set(["invalid_grant", "interaction_required"]);

/** Any asymmetric one: the discovery document that names the provider's own is not asked again. */
const signingAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "EdDSA",
  "Ed25519",
] as const;

/**
 * Exchanges the refresh token, at the endpoint that issued it. `ended`: the provider takes it no
 * more. Throws E201 when the provider can't be reached, E104 when it refuses otherwise. Call it
 * under the token lock: a rotated token that two processes use is taken for a stolen one.
 */
export async function renewTokens(
  tokens: TokenSet,
  options: ProviderOptions,
  nowMs: number,
): Promise<TokenSet | "ended"> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) return "ended";
  const endpoint = new URL(tokens.tokenEndpoint);
  const provider = {
    server: {
      issuer: tokens.issuer,
      token_endpoint: tokens.tokenEndpoint,
      id_token_signing_alg_values_supported: [...signingAlgorithms],
    },
    client: publicClient(tokens.clientId),
  };
  const settings = requestSettings(endpoint, options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await oauth.refreshTokenGrantRequest(
        provider.server,
        provider.client,
        oauth.None(),
        refreshToken,
        settings,
      );
      if (response.status >= 500) {
        throw catalogError("E104", {
          details: `the identity provider answers with HTTP ${response.status}`,
        });
      }
      const answer = await oauth.processRefreshTokenResponse(
        provider.server,
        provider.client,
        response,
      );
      return toTokenSet(answer, provider, nowMs, tokens);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof oauth.ResponseBodyError && endingErrors.has(error.error)) return "ended";
      const reason = error instanceof CatalogError ? error : providerError(error, endpoint);
      // The answer may have been lost after the token was rotated. Asked again at once, a provider
      // with a grace period gives the new one; without it the sign-in is lost either way.
      if (reason.code !== "E201" || attempt === 2) throw reason;
    }
  }
}

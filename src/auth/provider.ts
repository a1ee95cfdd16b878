import * as oauth from "oauth4webapi";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { readBoundedBytes } from "#lib/bounded-body.ts";
import { isLoopback, networkFetch } from "#lib/network-fetch.ts";
import { shortText } from "#lib/short-text.ts";
import type { FetchFunction } from "#lib/fetch-function.ts";
import type { TokenSet } from "./surface.ts";

/** How sign-in speaks to an OpenID provider: bounded, never redirected, errors as words. */

/** Longest wait for one answer of the provider. */
const providerTimeoutMs = 15_000;
const maximumAnswerBytes = 1024 * 1024;
/** Clocks of user machines are often a little off. */
const clockToleranceSeconds = 300;
/** When a provider does not say how long its token lives. */
const assumedLifetimeSeconds = 3600;

export interface ProviderOptions {
  readonly fetch?: FetchFunction | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One provider, found through its discovery document. */
export interface Provider {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly request: RequestSettings;
}

/** Options of every oauth4webapi request. */
export interface RequestSettings {
  readonly [oauth.customFetch]: (url: string, options: FetchOptions) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: boolean;
}

interface FetchOptions {
  readonly body?: string | URLSearchParams | undefined;
  readonly headers: Record<string, string>;
  readonly method: string;
}

/** A client without a secret (RFC 6749, 2.1), patient with clocks that are a little off. */
export function publicClient(clientId: string): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: clockToleranceSeconds };
}

/**
 * How to ask one provider. Credentials travel over TLS; plain http is for this machine alone (RFC
 * 8252, RFC 9700). Throws E104 for any other address.
 */
export function requestSettings(issuer: URL, options: ProviderOptions): RequestSettings {
  const plain = issuer.protocol === "http:";
  // A function that is handed in is the platform in this very process: nothing leaves it.
  if (plain && options.fetch === undefined && !isLoopback(issuer)) {
    throw catalogError(
      "E104",
      { details: `${issuer.origin} is not https` },
      { hint: "Passwords and tokens go over plain http to this machine only: put TLS before it" },
    );
  }
  const send = options.fetch ?? networkFetch;
  return {
    [oauth.allowInsecureRequests]: plain,
    [oauth.customFetch]: async (url, { body, headers, method }) => {
      const timeout = AbortSignal.timeout(providerTimeoutMs);
      const signal =
        options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
      const response = await send(
        new Request(url, {
          method,
          headers,
          redirect: "manual",
          signal,
          ...(body === undefined ? {} : { body }),
        }),
      );
      // Read here, so that the time limit and the bound hold for the body as well.
      const bytes = await readBoundedBytes(response, maximumAnswerBytes);
      return new Response(response.status === 204 ? null : new Uint8Array(bytes), {
        status: response.status,
        headers: withoutEncoding(response.headers),
      });
    },
  };
}

function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("content-encoding");
  kept.delete("content-length");
  return kept;
}

/**
 * Finds the provider at `{auth_url}`, or at `{auth_url}/v2.0`, where some keep their document.
 * Throws E201 when it can't be reached and E104 when there is none.
 */
export async function discover(
  authUrl: string,
  clientId: string,
  options: ProviderOptions,
): Promise<Provider> {
  const places = [authUrl, `${authUrl}/v2.0`].map((place) => new URL(place));
  const settings = requestSettings(new URL(authUrl), options);
  for (const issuer of places) {
    const server = await explained(
      issuer,
      async () => {
        const response = await oauth.discoveryRequest(issuer, settings);
        if (response.status !== 200) return undefined;
        return await oauth.processDiscoveryResponse(issuer, response);
      },
      options.signal,
    );
    if (server !== undefined) {
      return { server, client: publicClient(clientId), request: settings };
    }
  }
  throw catalogError("E104", { details: `no OpenID provider answers at ${authUrl}` });
}

/** Runs one exchange with the provider; every failure leaves as a catalog error, without a cause. */
export async function explained<Result>(
  place: URL,
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    signal?.throwIfAborted();
    throw providerError(error, place);
  }
}

/** The words of a provider's refusal; the library's own error holds the answer with its tokens. */
export function providerError(error: unknown, place: URL): CatalogError {
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError
  ) {
    const said = error.error_description ?? error.error;
    return catalogError("E104", { details: shortText(said, 300) });
  }
  if (error instanceof oauth.OperationProcessingError) {
    return catalogError("E104", {
      details: `the provider's answer can't be used (${shortText(error.message, 200)})`,
    });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) return catalogError("E103");
  return catalogError("E201", { url: place.origin });
}

/** The provider's answer as what is stored. */
export function toTokenSet(
  answer: oauth.TokenEndpointResponse,
  provider: Pick<Provider, "server" | "client">,
  nowMs: number,
  before?: TokenSet,
): TokenSet {
  const lifetimeSeconds = answer.expires_in ?? assumedLifetimeSeconds;
  return {
    accessToken: answer.access_token,
    // A provider that does not rotate sends none: the one before stays good (RFC 6749, 6).
    refreshToken: answer.refresh_token ?? before?.refreshToken,
    idToken: answer.id_token ?? before?.idToken,
    scope: answer.scope ?? before?.scope,
    expiresAt: new Date(nowMs + lifetimeSeconds * 1000).toISOString(),
    issuer: provider.server.issuer,
    tokenEndpoint: provider.server.token_endpoint ?? before?.tokenEndpoint ?? "",
    revocationEndpoint: provider.server.revocation_endpoint ?? before?.revocationEndpoint,
    clientId: provider.client.client_id,
  };
}

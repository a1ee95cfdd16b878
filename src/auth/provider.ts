import * as oauth from "oauth4webapi";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { proxyHint } from "#lib/network/proxy-refusal.ts";
import { signInPaths } from "#contract/access/sign-in.ts";
import { given } from "#lib/given.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";
import { readBoundedBytes } from "#lib/network/bounded-body.ts";
import { isReadableOnNetwork, networkFetch } from "#lib/network/network-fetch.ts";
import { shortText } from "#lib/text/short.ts";
import { trimEnd } from "#lib/text/trim-end.ts";
import { version } from "#lib/version.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import type { TokenSet } from "./surface.ts";

const providerTimeoutMs = 15_000;
const maximumAnswerBytes = 1024 * 1024;
/** Clocks of user machines are often inaccurate. */
const clockToleranceSeconds = 300;
/** The lifetime of tokens without `expires_in`. */
const assumedLifetimeSeconds = 3600;

export interface ProviderOptions {
  readonly fetch?: FetchFunction | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if codes and tokens may cross a network without encryption (default false). */
  readonly insecureHttp?: boolean | undefined;
}

export interface Provider {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly request: RequestSettings;
  readonly tokenUrl: URL;
}

export interface RequestSettings {
  readonly [oauth.customFetch]: (url: string, options: FetchOptions) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: boolean;
}

interface FetchOptions {
  readonly body?: string | URLSearchParams | undefined;
  readonly headers: Record<string, string>;
  readonly method: string;
}

export function publicClient(clientId: string): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: clockToleranceSeconds };
}

/** Limits of requests to a provider; plain http only for loopback (RFC 8252, RFC 9700). */
export function requestSettings(issuer: URL, options: ProviderOptions): RequestSettings {
  const plain = issuer.protocol === "http:";
  // A given `fetch` is the platform in this process.
  const isAllowed = options.fetch !== undefined || options.insecureHttp === true;
  if (!isAllowed && isReadableOnNetwork(issuer)) {
    throw catalogError(
      "E104",
      { details: `${issuer.origin} is not https` },
      {
        hint:
          "Put TLS before the provider, or use --insecure-http (SVC_INSECURE_HTTP=1) to sign in " +
          "anyway",
      },
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
          // The platform lists it as the device of a session.
          headers: { ...headers, "user-agent": `svc/${version}` },
          redirect: "manual",
          signal,
          ...given({ body }),
        }),
      );
      // Read here, so that the timeout and the size limit also cover the body.
      const bytes = await readBoundedBytes(response, maximumAnswerBytes);
      const { status } = response;
      const kept = new Headers(response.headers);
      kept.delete("content-encoding");
      kept.delete("content-length");
      const text = status === 204 ? null : new Uint8Array(bytes);
      return new Response(text, { status, headers: kept });
    },
  };
}

/**
 * Refuses an address of a provider that was set by a project only and is not at the issuer's
 * origin: a hostile project could name another provider's sign-in page, and would get its code.
 * Throws E104.
 */
export function requireIssuerOrigin(
  { server }: Pick<Provider, "server">,
  what: string,
  address: string | undefined,
): void {
  if (address === undefined || URL.parse(address)?.origin === new URL(server.issuer).origin) return;
  throw catalogError(
    "E104",
    { details: `the provider's ${what} is not at ${new URL(server.issuer).origin}` },
    {
      hint:
        "If you trust them, set BASE_URL_PUBLIC_API in the environment, and SVC_AUTH_URL for " +
        "another provider",
    },
  );
}

/**
 * Finds the provider at `{auth_url}` or `{auth_url}/v2.0`. One without a discovery document has the
 * two endpoints that the specification names (5.3). Throws E104 for none, or E201.
 */
export async function discover(
  authUrl: string,
  clientId: string,
  options: ProviderOptions,
): Promise<Provider> {
  const base = trimEnd(authUrl, /\//);
  const settings = requestSettings(new URL(authUrl), options);
  let failure: CatalogError | undefined;
  for (const place of [base, `${base}/v2.0`]) {
    const server = await discoveredAt(new URL(place), settings, options.signal).catch(
      (error: unknown) => {
        // The document of Entra ID without `/v2.0` names another issuer.
        if (!(error instanceof CatalogError) || error.code !== "E104") throw error;
        failure ??= error;
        return undefined;
      },
    );
    if (server !== undefined) {
      const tokenUrl = new URL(server.token_endpoint ?? server.issuer);
      return { server, client: publicClient(clientId), request: settings, tokenUrl };
    }
  }
  if (failure !== undefined) throw failure;
  const server = await specifiedServer(base, settings, options.signal);
  if (server === undefined) {
    throw catalogError("E104", { details: `no identity provider answers at ${authUrl}` });
  }
  const tokenUrl = new URL(server.token_endpoint);
  return { server, client: publicClient(clientId), request: settings, tokenUrl };
}

/** The provider of the discovery document; undefined without one. */
async function discoveredAt(
  issuer: URL,
  settings: RequestSettings,
  signal: AbortSignal | undefined,
): Promise<oauth.AuthorizationServer | undefined> {
  return explained(
    issuer,
    async () => {
      const response = await oauth.discoveryRequest(issuer, settings);
      if (response.status !== 200) return undefined;
      const named = membersOf(parsedJson(await response.clone().text()))?.get("issuer");
      // An issuer may have a slash at its end, which addresses in normal form have not.
      const expected = named === `${issuer.href}/` ? new URL(named) : issuer;
      return await oauth.processDiscoveryResponse(expected, response);
    },
    signal,
  );
}

/** The endpoints of spec 5.3, if the sign-in page exists. */
async function specifiedServer(
  authUrl: string,
  settings: RequestSettings,
  signal: AbortSignal | undefined,
) {
  const authorize = `${authUrl}${signInPaths.authorize}`;
  const isThere = await explained(
    new URL(authUrl),
    async () => {
      const send = settings[oauth.customFetch];
      const { status } = await send(authorize, { method: "GET", headers: {} });
      // A sign-in page refuses a request that has no parameters.
      return status !== 404 && status !== 410 && status < 500;
    },
    signal,
  );
  if (!isThere) return undefined;
  return {
    issuer: authUrl,
    authorization_endpoint: authorize,
    token_endpoint: `${authUrl}${signInPaths.token}`,
  };
}

export async function explained<Result>(
  url: URL,
  work: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    signal?.throwIfAborted();
    throw providerError(error, url);
  }
}

/** The catalog error of a failed exchange; the library's error has the response with its tokens. */
export function providerError(error: unknown, url: URL): CatalogError {
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError
  ) {
    const details = shortText(error.error_description ?? error.error, 300);
    return catalogError("E104", { details });
  }
  if (error instanceof oauth.OperationProcessingError) {
    return catalogError("E104", {
      details: `the provider's response is invalid (${shortText(error.message, 200)})`,
    });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) return catalogError("E103");
  return catalogError("E201", { url: url.origin }, given({ hint: proxyHint(error) }));
}

export function toTokenSet(
  answer: oauth.TokenEndpointResponse,
  provider: Pick<Provider, "server" | "client">,
  nowMs: number,
  before?: TokenSet,
): TokenSet {
  const lifetimeSeconds = answer.expires_in ?? assumedLifetimeSeconds;
  return {
    accessToken: answer.access_token,
    // The former refresh token stays valid when the provider rotates none (RFC 6749, 6).
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

import * as oauth from "oauth4webapi";
import { catalogError } from "#contract/errors.ts";
import { isJsonObject, parsedJson } from "#lib/json-value.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { listenForCallback, type Callback } from "./loopback-listener.ts";
import { explained, requireIssuerOrigin, toTokenSet, type Provider } from "./provider.ts";
import type { SignInDialog, TokenSet } from "./surface.ts";

const defaultTimeoutMs = 300_000;

/** Authorization code with PKCE S256 (spec 5.3, RFC 7636, RFC 8252). Throws E104. */
export async function signInWithBrowser(
  provider: Provider,
  options: SignInDialog & { readonly scope: string; readonly isTrusted?: boolean },
): Promise<TokenSet> {
  const { server, client, request, tokenUrl } = provider;
  const { scope, signal } = options;
  const endpoint = authorizationEndpoint(server);
  // A provider that announces `iss` must send it, and it must be its own (RFC 9207, 2.4).
  const sendsIssuer = server.authorization_response_iss_parameter_supported === true;
  if (options.isTrusted === false && !sendsIssuer) {
    requireIssuerOrigin(provider, "sign-in page", endpoint.href);
    requireIssuerOrigin(provider, "token endpoint", tokenUrl.href);
  }
  const methods = server.code_challenge_methods_supported;
  if (methods !== undefined && !methods.includes("S256")) {
    throw catalogError("E104", { details: "the provider does not support PKCE with S256" });
  }
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const listener = listenForCallback(state, options.callbackPort ?? 0);
  const { redirectUri } = listener;
  const exchange = async (callback: URLSearchParams): Promise<TokenSet> => {
    const none = oauth.None();
    const code = oauth.validateAuthResponse(server, client, callback, state);
    const args = [server, client, none, code, redirectUri, verifier, request] as const;
    const response = await oauth.authorizationCodeGrantRequest(...args);
    // A provider may issue no ID token; one that it issues must have the nonce of this sign-in.
    const checks = (await hasIdToken(response))
      ? { expectedNonce: nonce, requireIdToken: true }
      : {};
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response, checks);
    return toTokenSet(answer, provider, Date.now());
  };
  try {
    const parameters = {
      client_id: client.client_id,
      response_type: "code",
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) endpoint.searchParams.set(name, value);
    await options.say(`Sign in with your browser: ${endpoint.href}`, { url: endpoint.href });
    // Not awaited: the opener may run as long as its browser.
    void open(options, endpoint.href);
    const callback = await waitFor(listener.callback, options);
    try {
      const tokens = await explained(tokenUrl, () => exchange(callback.parameters), signal);
      callback.show("signed-in");
      return tokens;
    } catch (error) {
      callback.show("failed");
      throw error;
    }
  } finally {
    await listener.close();
  }
}

async function hasIdToken(response: Response): Promise<boolean> {
  const answer = parsedJson(await response.clone().text());
  return isJsonObject(answer) && answer["id_token"] !== undefined;
}

async function open(options: SignInDialog, url: string): Promise<void> {
  try {
    await options.openBrowser(url);
  } catch {
    await options.say("No browser could be opened: open the URL above yourself", { url });
  }
}

function authorizationEndpoint(server: oauth.AuthorizationServer): URL {
  const place = server.authorization_endpoint;
  if (place === undefined || !/^https?:\/\//i.test(place)) {
    throw catalogError("E104", { details: "the provider has no sign-in page" });
  }
  return new URL(place);
}

async function waitFor(
  callback: Promise<Callback>,
  { timeoutMs = defaultTimeoutMs, signal }: SignInDialog,
): Promise<Callback> {
  const limit = new TimeLimit(timeoutMs, signal);
  const ended = Promise.withResolvers<never>();
  const onAbort = () => {
    ended.reject(
      limit.expired
        ? catalogError("E104", {
            details: `no response came from the browser within ${Math.round(timeoutMs / 1000)} s`,
          })
        : limit.signal.reason,
    );
  };
  if (limit.signal.aborted) onAbort();
  else limit.signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([callback, ended.promise]);
  } finally {
    limit.signal.removeEventListener("abort", onAbort);
    limit.close();
  }
}

import * as oauth from "oauth4webapi";
import { catalogError } from "#contract/errors.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { listenForCallback, type Callback } from "./loopback-listener.ts";
import { explained, toTokenSet, type Provider } from "./provider.ts";
import type { SayWhere, TokenSet } from "./surface.ts";

export interface BrowserFlowOptions {
  readonly scope: string;
  /** Fixed port of the callback; 0 takes a free one. */
  readonly callbackPort: number;
  /** Longest wait for the browser (default 300,000). */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the address before the browser is asked to open it. */
  readonly say: SayWhere;
  readonly openBrowser: (url: string) => void | Promise<void>;
}

const defaultTimeoutMs = 300_000;

/**
 * Authorization code with PKCE S256 over a loopback redirect (spec 5.3, RFC 7636, RFC 8252). State,
 * nonce and issuer are checked; one code is exchanged, once. Throws E104 when the user or provider
 * refuses or nobody answers in time.
 */
export async function signInWithBrowser(
  provider: Provider,
  options: BrowserFlowOptions,
): Promise<TokenSet> {
  const { server } = provider;
  const endpoint = authorizationEndpoint(server);
  const methods = server.code_challenge_methods_supported;
  if (methods !== undefined && !methods.includes("S256")) {
    throw catalogError("E104", { details: "the provider does not support PKCE with S256" });
  }
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  const listener = listenForCallback(state, options.callbackPort);
  try {
    const parameters = {
      client_id: provider.client.client_id,
      response_type: "code",
      redirect_uri: listener.redirectUri,
      scope: options.scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) endpoint.searchParams.set(name, value);
    await options.say(`Sign in with your browser: ${endpoint.href}`, { url: endpoint.href });
    // Not awaited: an opener may last as long as its browser, and the address was shown anyway.
    void open(options, endpoint.href);
    const callback = await waitFor(listener.callback, options);
    return await exchange(provider, callback, {
      state,
      nonce,
      verifier,
      redirectUri: listener.redirectUri,
      openId: options.scope.split(" ").includes("openid"),
      signal: options.signal,
    });
  } finally {
    await listener.close();
  }
}

async function open(options: BrowserFlowOptions, url: string): Promise<void> {
  try {
    await options.openBrowser(url);
  } catch {
    await options.say("No browser could be opened: open the address above yourself", { url });
  }
}

interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly openId: boolean;
  readonly signal: AbortSignal | undefined;
}

async function exchange(
  provider: Provider,
  callback: Callback,
  secrets: Secrets,
): Promise<TokenSet> {
  const { server, client, request } = provider;
  try {
    const tokens = await explained(
      new URL(server.token_endpoint ?? server.issuer),
      async () => {
        const parameters = oauth.validateAuthResponse(
          server,
          client,
          callback.parameters,
          secrets.state,
        );
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          parameters,
          secrets.redirectUri,
          secrets.verifier,
          request,
        );
        const answer = await oauth.processAuthorizationCodeResponse(
          server,
          client,
          response,
          secrets.openId ? { expectedNonce: secrets.nonce, requireIdToken: true } : {},
        );
        return toTokenSet(answer, provider, Date.now());
      },
      secrets.signal,
    );
    callback.show("signed-in");
    return tokens;
  } catch (error) {
    callback.show("failed");
    throw error;
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
  options: BrowserFlowOptions,
): Promise<Callback> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const limit = new TimeLimit(timeoutMs, options.signal);
  const ended = Promise.withResolvers<never>();
  const onAbort = () => {
    ended.reject(
      limit.expired
        ? catalogError("E104", {
            details: `no answer came from the browser within ${Math.round(timeoutMs / 1000)} s`,
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

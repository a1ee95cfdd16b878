import * as oauth from "oauth4webapi";
import { catalogError } from "#contract/errors.ts";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { loopbackRedirectPath } from "#contract/access/sign-in.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { cardStyle, htmlPage } from "#lib/text/html-page.ts";
import { html } from "#lib/text/html.ts";
import { explained, requireIssuerOrigin, toTokenSet, type Provider } from "./provider.ts";
import type { SignInDialog, TokenSet } from "./surface.ts";

interface Callback {
  readonly parameters: URLSearchParams;
  /** Sends the page that the browser waits for; call it once. */
  readonly show: (end: "signed-in" | "failed") => void;
}

interface LoopbackListener {
  readonly redirectUri: string;
  /** The first request with the right state; other requests are refused. */
  readonly callback: Promise<Callback>;
  /** Closes the port; waits up to 500 ms until the page is sent. */
  close(): Promise<void>;
}

const drainMs = 500;

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
    // The opener may run as long as its browser, so nothing awaits it.
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

/** Waits on 127.0.0.1 for the browser's GET with this sign-in's state (RFC 8252). Throws E104. */
function listenForCallback(state: string, port: number): LoopbackListener {
  const answered = Promise.withResolvers<Callback>();
  let taken = false;
  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    // Another `Host` means DNS rebinding.
    const rightHost = request.headers.get("host") === `127.0.0.1:${server.port}`;
    if (!rightHost || request.method !== "GET" || url.pathname !== loopbackRedirectPath) {
      return resultPage(404, "Nothing here", "This is not the page you are looking for.");
    }
    const states = url.searchParams.getAll("state");
    if (states.length !== 1 || !sameText(states[0] ?? "", state)) {
      return resultPage(400, "Not this sign-in", "Continue in the tab that your terminal opened.");
    }
    if (taken) return resultPage(409, "Already used", "This callback was already used.");
    taken = true;
    const shown = Promise.withResolvers<Response>();
    answered.resolve({
      parameters: url.searchParams,
      show: (end) =>
        shown.resolve(
          end === "signed-in"
            ? resultPage(200, "You are signed in", "Close this tab and return to your terminal.")
            : resultPage(400, "You are not signed in", "Close this tab: your terminal shows why."),
        ),
    });
    return await shown.promise;
  };
  const server = serve(port, handle);
  return {
    redirectUri: `http://127.0.0.1:${server.port}${loopbackRedirectPath}`,
    callback: answered.promise,
    close: async () => {
      const drained = Promise.withResolvers<void>();
      const timer = setTimeout(drained.resolve, drainMs);
      await Promise.race([server.stop(), drained.promise]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}

function serve(port: number, handle: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      fetch: handle,
      maxRequestBodySize: 1024,
      idleTimeout: 60,
      error: () => new Response(null, { status: 500 }),
    });
  } catch (error) {
    const inUse = systemErrorCode(error) === "EADDRINUSE";
    throw catalogError("E104", {
      details: inUse
        ? `port ${port} of 127.0.0.1 is in use`
        : `port ${port} of 127.0.0.1 can't be opened`,
    });
  }
}

/** A page for the browser; it loads nothing and has no scripts. */
function resultPage(status: number, heading: string, sentence: string): Response {
  const document = htmlPage(heading, html`<p>${sentence}</p>`, cardStyle);
  return new Response(document.text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      // The listener closes after this response.
      connection: "close",
    },
  });
}

/** Compares two texts in constant time. */
function sameText(left: string, right: string): boolean {
  const a = new TextEncoder().encode(left);
  const b = new TextEncoder().encode(right);
  return a.byteLength === b.byteLength && crypto.timingSafeEqual(a, b);
}

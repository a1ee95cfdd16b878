import { authPath } from "#contract/sign-in.ts";
import { FormError, readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import { findClient, type Client } from "./clients.ts";
import type { Login, LoginOptions } from "./login.ts";
import { continueContent, messageContent, page } from "./page.ts";

/** A request for a code, after everything about it has been checked. */
interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly codeChallenge: string;
  readonly prompts: ReadonlySet<string>;
  /** Seconds since a sign-in with the password after which it has to be shown again. */
  readonly maxAgeSeconds: number;
  readonly loginHint: string;
}

/** A fault that is told to the client; before its redirect address is proved, only to the person. */
class AuthorizationFault extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly redirect?: { readonly uri: string; readonly state: string | undefined },
  ) {
    super(message);
  }
}

/**
 * The authorization endpoint (OpenID Connect Core, 3.1.2): code with PKCE S256 only. A session that
 * is there already still takes a press of a button, since a public client can't prove that the
 * request is its own (RFC 8252, 8.6).
 */
export class AuthorizeEndpoint {
  readonly #signIn: SignInService;
  readonly #browser: Browser;
  readonly #login: Login;

  constructor(signIn: SignInService, browser: Browser, login: Login) {
    this.#signIn = signIn;
    this.#browser = browser;
    this.#login = login;
  }

  async answer(exchange: Exchange): Promise<Response> {
    try {
      const request = readRequest(new URLSearchParams(exchange.search));
      return exchange.method === "POST"
        ? await this.#take(exchange, request)
        : await this.#show(exchange, request);
    } catch (error) {
      if (error instanceof AuthorizationFault) return refuse(exchange, error);
      if (error instanceof FormError) {
        return page("Sign-in is not possible", messageContent(sentence(error.message)), {
          status: 400,
        });
      }
      throw error;
    }
  }

  async #show(exchange: Exchange, request: AuthorizationRequest): Promise<Response> {
    const { prompts } = request;
    const session = await this.#freshSession(exchange, request);
    if (prompts.has("none")) {
      const code = session === undefined ? "login_required" : "interaction_required";
      throw new AuthorizationFault(code, "the person has to be asked", redirectOf(request));
    }
    if (session === undefined) {
      return this.#login.ask(exchange, loginOptions(request), request.loginHint);
    }
    return this.#askToContinue(exchange, request, session);
  }

  async #take(exchange: Exchange, request: AuthorizationRequest): Promise<Response> {
    const form = await readForm(exchange.request);
    if (!this.#browser.isOwnForm(exchange, form)) {
      return this.#login.askAgain(exchange, loginOptions(request), request.loginHint);
    }
    const action = form.get("action");
    if (action === "cancel") {
      throw new AuthorizationFault(
        "access_denied",
        "the sign-in was cancelled",
        redirectOf(request),
      );
    }
    if (action === "continue") {
      const session = await this.#freshSession(exchange, request);
      return session === undefined
        ? this.#login.ask(exchange, loginOptions(request), request.loginHint)
        : this.#giveCode(exchange, request, session, {});
    }
    const step = await this.#login.take(exchange, form, loginOptions(request));
    if (step.response !== undefined) return step.response;
    const headers = await this.#browser.startSession(exchange, step.session);
    return this.#giveCode(exchange, request, step.session, headers);
  }

  /** The browser's session; undefined too where the client wants the password to be shown again. */
  async #freshSession(
    exchange: Exchange,
    { prompts, maxAgeSeconds }: AuthorizationRequest,
  ): Promise<BrowserSession | undefined> {
    if (prompts.has("login")) return undefined;
    const session = await this.#browser.session(exchange);
    if (session === undefined) return undefined;
    const ageMs = this.#signIn.now().getTime() - Date.parse(session.signedInAt);
    return ageMs >= maxAgeSeconds * 1000 ? undefined : session;
  }

  #askToContinue(
    exchange: Exchange,
    request: AuthorizationRequest,
    session: BrowserSession,
  ): Response {
    const opened = this.#browser.openForm(exchange);
    const other = new URLSearchParams(exchange.search);
    other.set("prompt", "login");
    const content = continueContent(opened.target, {
      purpose: purposeOf(request),
      email: session.user.email,
      otherAddress: `${exchange.path}?${other.toString()}`,
    });
    return page("Sign in", content, {
      headers: opened.headers,
      formOrigin: new URL(request.redirectUri).origin,
    });
  }

  async #giveCode(
    exchange: Exchange,
    request: AuthorizationRequest,
    session: BrowserSession,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const code = await this.#signIn.grants.issueCode({
      clientId: request.client.id,
      oid: session.user.oid,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      scope: request.scope,
      signedInAt: session.signedInAt,
    });
    return redirect(exchange, redirectOf(request), { code }, headers);
  }
}

function readRequest(parameters: URLSearchParams): AuthorizationRequest {
  const fields = uniqueFields(parameters);
  const client = findClient(fields.get("client_id"));
  if (client === undefined) {
    throw new AuthorizationFault("unauthorized_client", "the application is not known here");
  }
  const redirectUri = fields.get("redirect_uri") ?? "";
  if (!URL.canParse(redirectUri) || !client.acceptsRedirect(new URL(redirectUri))) {
    throw new AuthorizationFault("invalid_request", "the redirect address is not allowed");
  }
  const state = fields.get("state");
  const redirect = { uri: redirectUri, state };
  const refuseIf = (condition: boolean, code: string, message: string): void => {
    if (condition) throw new AuthorizationFault(code, message, redirect);
  };
  refuseIf(
    fields.get("response_type") !== "code",
    "unsupported_response_type",
    "only the response type code is supported",
  );
  refuseIf(
    (fields.get("response_mode") ?? "query") !== "query",
    "invalid_request",
    "only the response mode query is supported",
  );
  refuseIf(fields.has("request"), "request_not_supported", "request objects are not supported");
  refuseIf(
    fields.has("request_uri"),
    "request_uri_not_supported",
    "request addresses are not supported",
  );
  const codeChallenge = fields.get("code_challenge") ?? "";
  refuseIf(
    fields.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge),
    "invalid_request",
    "a code challenge with the method S256 is required",
  );
  const maxAge = fields.get("max_age");
  refuseIf(
    maxAge !== undefined && !/^\d{1,9}$/.test(maxAge),
    "invalid_request",
    "max_age is a number of seconds",
  );
  const scope = fields.get("scope") ?? "openid";
  refuseIf(!scopesKnown(client, scope), "invalid_scope", "a scope is not known here");
  return {
    client,
    redirectUri,
    scope,
    state,
    nonce: fields.get("nonce"),
    codeChallenge,
    prompts: new Set((fields.get("prompt") ?? "").split(" ")),
    maxAgeSeconds: maxAge === undefined ? Number.POSITIVE_INFINITY : Number(maxAge),
    loginHint: fields.get("login_hint") ?? "",
  };
}

/** Whether the client may ask for every one of these scopes (RFC 6749, 3.3). */
export function scopesKnown(client: Client, scope: string): boolean {
  return scope.split(" ").every((wanted) => client.scopes.includes(wanted));
}

function redirectOf(request: AuthorizationRequest): { uri: string; state: string | undefined } {
  return { uri: request.redirectUri, state: request.state };
}

function purposeOf(request: AuthorizationRequest): string {
  return `Sign in to let ${request.client.name} on this machine act for you.`;
}

function loginOptions(request: AuthorizationRequest): LoginOptions {
  const { origin } = new URL(request.redirectUri);
  return { purpose: purposeOf(request), page: { formOrigin: origin } };
}

/** RFC 6749, 4.1.2, with the issuer (RFC 9207). */
function redirect(
  exchange: Exchange,
  to: { readonly uri: string; readonly state: string | undefined },
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const address = new URL(to.uri);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  if (to.state !== undefined) address.searchParams.set("state", to.state);
  address.searchParams.set("iss", exchange.baseUrl + authPath);
  // 303, so that the browser goes on with GET and never sends the password form any further.
  return new Response(null, {
    status: 303,
    headers: {
      location: address.href,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}

function refuse(exchange: Exchange, fault: AuthorizationFault): Response {
  const { code, message } = fault;
  if (fault.redirect !== undefined) {
    return redirect(exchange, fault.redirect, { error: code, error_description: message });
  }
  return page("Sign-in is not possible", messageContent(sentence(message)), { status: 400 });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

import { authPath } from "#contract/access/sign-in.ts";
import { FormError, readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { findClient, isScopeAllowed, type Client, type SignInApps } from "../clients.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { Login, LoginOptions } from "./login.ts";
import { continueContent, messagePage, page } from "./page.ts";

/** The client's address to return to, with its own state. */
interface Redirect {
  readonly uri: string;
  readonly state: string | undefined;
}

interface AuthorizationRequest {
  readonly client: Client;
  readonly redirect: Redirect;
  readonly scope: string;
  readonly nonce: string | undefined;
  /** Empty only for a client that may do without PKCE. */
  readonly codeChallenge: string;
  readonly prompts: ReadonlySet<string>;
  /** The password must be entered again this many seconds after the sign-in. */
  readonly maxAgeSeconds: number;
  readonly loginHint: string;
}

/** A fault in the request. The client gets it if its redirect address is valid, else the user. */
class AuthorizationFault extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly redirect?: Redirect,
  ) {
    super(message);
  }
}

/**
 * The authorization endpoint (OpenID Connect Core, 3.1.2): code with PKCE S256, which only a client
 * with a secret may leave out. A signed-in
 * browser still asks for one click, since a public client cannot prove its identity (RFC 8252,
 * 8.6).
 */
export class AuthorizeEndpoint {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly login: Login,
  ) {}

  async answer(exchange: Exchange): Promise<Response> {
    try {
      const parameters = new URLSearchParams(exchange.search);
      const request = await readRequest(parameters, this.signIn.apps);
      return exchange.method === "POST"
        ? await this.#take(exchange, request)
        : await this.#show(exchange, request);
    } catch (error) {
      if (error instanceof AuthorizationFault && error.redirect !== undefined) {
        const parameters = { error: error.code, error_description: error.message };
        return redirectTo(exchange, error.redirect, parameters);
      }
      if (!(error instanceof AuthorizationFault || error instanceof FormError)) throw error;
      const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
      return messagePage("Sign-in is not possible", message, { status: 400 });
    }
  }

  async #show(exchange: Exchange, request: AuthorizationRequest): Promise<Response> {
    const session = await this.#freshSession(exchange, request);
    if (request.prompts.has("none")) {
      const code = session === undefined ? "login_required" : "interaction_required";
      throw new AuthorizationFault(code, "the user must use the sign-in page", request.redirect);
    }
    return session === undefined
      ? this.login.ask(exchange, loginOptions(request), request.loginHint)
      : this.#askToContinue(exchange, request, session);
  }

  async #take(exchange: Exchange, request: AuthorizationRequest): Promise<Response> {
    const form = await readForm(exchange.request);
    const options = loginOptions(request);
    if (!this.browser.isOwnForm(exchange, form)) {
      return this.login.askAgain(exchange, options, request.loginHint);
    }
    const action = form.get("action");
    if (action === "cancel") {
      throw new AuthorizationFault("access_denied", "the sign-in was cancelled", request.redirect);
    }
    if (action === "continue") {
      const session = await this.#freshSession(exchange, request);
      return session === undefined
        ? this.login.ask(exchange, options, request.loginHint)
        : this.#giveCode(exchange, request, session, {});
    }
    const step = await this.login.take(exchange, form, options);
    if (step.response !== undefined) return step.response;
    const headers = await this.browser.startSession(exchange, step.session);
    return this.#giveCode(exchange, request, step.session, headers);
  }

  /** The browser's session; undefined also where the client asks for the password again. */
  async #freshSession(
    exchange: Exchange,
    { prompts, maxAgeSeconds }: AuthorizationRequest,
  ): Promise<BrowserSession | undefined> {
    if (prompts.has("login")) return undefined;
    const session = await this.browser.session(exchange);
    if (session === undefined) return undefined;
    const ageMs = this.signIn.now().getTime() - Date.parse(session.signedInAt);
    return ageMs >= maxAgeSeconds * 1000 ? undefined : session;
  }

  #askToContinue(
    exchange: Exchange,
    request: AuthorizationRequest,
    session: BrowserSession,
  ): Response {
    const { target, headers } = this.browser.openForm(exchange);
    const other = new URLSearchParams(exchange.search);
    other.set("prompt", "login");
    const { purpose, page: pageOptions } = loginOptions(request);
    const content = continueContent(target, {
      purpose,
      email: session.user.email,
      otherAddress: `${exchange.path}?${other.toString()}`,
    });
    return page("Sign in", content, { ...pageOptions, headers });
  }

  async #giveCode(
    exchange: Exchange,
    request: AuthorizationRequest,
    session: BrowserSession,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const { client, redirect, codeChallenge, nonce, scope } = request;
    if (!(await this.signIn.mayUse(client, session.user))) {
      const message = "this account is not a member of the app's workspace";
      throw new AuthorizationFault("access_denied", message, redirect);
    }
    const code = await this.signIn.grants.issueCode({
      clientId: client.id,
      oid: session.user.oid,
      redirectUri: redirect.uri,
      codeChallenge,
      nonce,
      scope,
      signedInAt: session.signedInAt,
    });
    return redirectTo(exchange, redirect, { code }, headers);
  }
}

async function readRequest(
  parameters: URLSearchParams,
  apps: SignInApps,
): Promise<AuthorizationRequest> {
  const fields = uniqueFields(parameters);
  const client = await findClient(apps, fields.get("client_id"));
  if (client === undefined) {
    throw new AuthorizationFault("unauthorized_client", "the application is unknown");
  }
  const uri = fields.get("redirect_uri") ?? "";
  if (!URL.canParse(uri) || !client.acceptsRedirect(uri)) {
    throw new AuthorizationFault("invalid_request", "the redirect address is not allowed");
  }
  const redirect = { uri, state: fields.get("state") };
  const maxAge = fields.get("max_age");
  const scope = fields.get("scope") ?? "openid";
  const fault = requestFault(fields, client) ?? scopeFault(client, scope);
  if (fault !== undefined) throw new AuthorizationFault(...fault, redirect);
  return {
    client,
    redirect,
    scope,
    nonce: fields.get("nonce"),
    codeChallenge: fields.get("code_challenge") ?? "",
    prompts: new Set((fields.get("prompt") ?? "").split(" ")),
    maxAgeSeconds: maxAge === undefined ? Number.POSITIVE_INFINITY : Number(maxAge),
    loginHint: fields.get("login_hint") ?? "",
  };
}

type CodeAndMessage = readonly [code: string, message: string];

function requestFault(
  fields: ReadonlyMap<string, string>,
  { needsPkce }: Client,
): CodeAndMessage | undefined {
  if (fields.get("response_type") !== "code") {
    return ["unsupported_response_type", "the response type must be code"];
  }
  if ((fields.get("response_mode") ?? "query") !== "query") {
    return ["invalid_request", "the response mode must be query"];
  }
  if (fields.has("request")) {
    return ["request_not_supported", "request objects are not supported"];
  }
  if (fields.has("request_uri")) {
    return ["request_uri_not_supported", "request addresses are not supported"];
  }
  const hasChallenge = /^[\w-]{43}$/.test(fields.get("code_challenge") ?? "");
  const usesPkce = fields.has("code_challenge") || fields.has("code_challenge_method");
  const isChallenged = fields.get("code_challenge_method") === "S256" && hasChallenge;
  if ((needsPkce || usesPkce) && !isChallenged) {
    return ["invalid_request", "a code challenge with the method S256 is required"];
  }
  if (!/^\d{1,9}$/.test(fields.get("max_age") ?? "0")) {
    return ["invalid_request", "max_age must be a number of seconds"];
  }
  return undefined;
}

function scopeFault(client: Client, scope: string): CodeAndMessage | undefined {
  return isScopeAllowed(client, scope) ? undefined : ["invalid_scope", "a scope is unknown"];
}

function loginOptions({ client, redirect }: AuthorizationRequest): LoginOptions {
  const { host, origin } = new URL(redirect.uri);
  const target = client.workspaceId === undefined ? "" : ` You return to ${host}.`;
  return { purpose: client.purpose + target, page: { formOrigin: origin } };
}

/** RFC 6749, 4.1.2, with the issuer (RFC 9207). */
function redirectTo(
  exchange: Exchange,
  { uri, state }: Redirect,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const address = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  if (state !== undefined) address.searchParams.set("state", state);
  address.searchParams.set("iss", exchange.baseUrl + authPath);
  // 303, so that the browser follows with GET and does not send the password form again.
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

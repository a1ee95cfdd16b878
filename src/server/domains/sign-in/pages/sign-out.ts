import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { findClient } from "../clients.ts";
import type { SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import { messagePage, page, signOutContent } from "./page.ts";

/** A client's wish to sign the browser out. */
interface SignOutRequest {
  /** The client's address with its state; undefined where the user stays on this page. */
  readonly redirect: string | undefined;
  /** The user whom the client has signed in, by its ID token. */
  readonly oid: string | undefined;
}

/**
 * The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0). It returns only to an address
 * that the client has registered, and asks the user unless the client has this user's ID token. The
 * tokens of clients stay until they are revoked.
 */
export class SignOutPage {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
  ) {}

  async answer(exchange: Exchange): Promise<Response> {
    const form = exchange.method === "POST" ? await readForm(exchange.request) : undefined;
    const isConfirmed = form !== undefined && this.browser.isOwnForm(exchange, form);
    const request = await this.#request(uniqueFields(new URLSearchParams(exchange.search)));
    if (typeof request === "string") {
      return messagePage("Sign-out is not possible", request, { status: 400 });
    }
    const session = await this.browser.session(exchange);
    if (session === undefined) return signedOut(request, {});
    if (isConfirmed || request.oid === session.user.oid) {
      return signedOut(request, await this.browser.endSession(exchange));
    }
    const { target, headers } = this.browser.openForm(exchange);
    const { redirect } = request;
    const formOrigin = redirect === undefined ? {} : { formOrigin: new URL(redirect).origin };
    return page("Sign out", signOutContent(target, session.user.email), { headers, ...formOrigin });
  }

  /** The request, or the sentence that says why it is refused. */
  async #request(fields: ReadonlyMap<string, string>): Promise<SignOutRequest | string> {
    const token = fields.get("id_token_hint");
    // The key of an old token may be gone: then the user is asked.
    const hint = token === undefined ? undefined : await this.signIn.tokens.idTokenHint(token);
    const clientId = fields.get("client_id") ?? hint?.clientId;
    if (hint !== undefined && hint.clientId !== clientId) {
      return "The application and its ID token do not belong together.";
    }
    const address = fields.get("post_logout_redirect_uri");
    if (address === undefined) return { redirect: undefined, oid: hint?.oid };
    const client = await findClient(this.signIn.apps, clientId);
    // Character by character, as for a sign-in.
    if (client?.postLogoutRedirectUris.includes(address) !== true) {
      return "The application has not registered the address to return to.";
    }
    const redirect = new URL(address);
    const state = fields.get("state");
    if (state !== undefined) redirect.searchParams.set("state", state);
    return { redirect: redirect.href, oid: hint?.oid };
  }
}

function signedOut(
  { redirect }: SignOutRequest,
  headers: Readonly<Record<string, string>>,
): Response {
  if (redirect === undefined) {
    const words = "This browser is signed out. You may close this page.";
    return messagePage("Signed out", words, { headers });
  }
  return new Response(null, {
    status: 303,
    headers: {
      location: redirect,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}

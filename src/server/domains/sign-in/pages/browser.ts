import { createHmac } from "node:crypto";
import { authPath } from "#contract/sign-in.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { equalSecrets, randomToken } from "../../secrets/service.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { FormTarget } from "./page.ts";

const sessionCookie = "svc_session";
const formCookie = "svc_form";
const sessionSeconds = 12 * 60 * 60;

/** A page's form with the cookie that it needs beside it. */
export interface OpenedForm {
  readonly target: FormTarget;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What is kept in the browser: the session, and a random value to which each form of ours is tied,
 * so that no other site can send one in somebody's name, before or after signing in.
 */
export class Browser {
  readonly #signIn: SignInService;

  constructor(signIn: SignInService) {
    this.#signIn = signIn;
  }

  session(exchange: Exchange): Promise<BrowserSession | undefined> {
    return this.#signIn.session(cookie(exchange, sessionCookie));
  }

  openForm(exchange: Exchange, action = formAddress(exchange)): OpenedForm {
    const kept = cookie(exchange, formCookie);
    const value = kept === undefined || !/^[\w-]{43}$/.test(kept) ? randomToken() : kept;
    return {
      target: { action, token: this.#formToken(value) },
      headers: value === kept ? {} : { "set-cookie": setCookie(exchange, formCookie, value) },
    };
  }

  /** Whether a form that was sent is one that this browser was given. */
  isOwnForm(exchange: Exchange, form: ReadonlyMap<string, string>): boolean {
    const kept = cookie(exchange, formCookie);
    return kept !== undefined && equalSecrets(form.get("form") ?? "", this.#formToken(kept));
  }

  async startSession(
    exchange: Exchange,
    session: BrowserSession,
  ): Promise<Readonly<Record<string, string>>> {
    const id = await this.#signIn.startSession(session.user, session.signedInAt);
    return { "set-cookie": setCookie(exchange, sessionCookie, id, sessionSeconds) };
  }

  async endSession(exchange: Exchange): Promise<Readonly<Record<string, string>>> {
    const id = cookie(exchange, sessionCookie);
    if (id !== undefined) await this.#signIn.endSession(id);
    return { "set-cookie": setCookie(exchange, sessionCookie, "", 0) };
  }

  #formToken(value: string): string {
    return createHmac("sha256", this.#signIn.formKey).update(value).digest("base64url");
  }
}

/** A form comes back to the address of its page, with all that the page was asked. */
function formAddress(exchange: Exchange): string {
  return exchange.search === "" ? exchange.path : `${exchange.path}?${exchange.search}`;
}

function cookie(exchange: Exchange, name: string): string | undefined {
  for (const pair of (exchange.headers.get("cookie") ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

function setCookie(exchange: Exchange, name: string, value: string, seconds?: number): string {
  const attributes = [`${name}=${value}`, `Path=${authPath}`, "HttpOnly", "SameSite=Lax"];
  if (seconds !== undefined) attributes.push(`Max-Age=${seconds}`);
  if (exchange.baseUrl.startsWith("https:")) attributes.push("Secure");
  return attributes.join("; ");
}

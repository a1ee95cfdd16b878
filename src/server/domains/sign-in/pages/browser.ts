import { createHmac } from "node:crypto";
import { authPath } from "#contract/access/sign-in.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { equalSecrets, randomToken } from "../../secrets/service.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { FormTarget } from "./page.ts";

const sessionCookie = "svc_session";
const formCookie = "svc_form";
const sessionSeconds = 12 * 60 * 60;

/** A page's form, and the header that sets its cookie. */
export interface OpenedForm {
  readonly target: FormTarget;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The browser's cookies: the session, and a random value that each form is tied to. Without it
 * another site could send a form in the user's name.
 */
export class Browser {
  constructor(private readonly signIn: SignInService) {}

  session(exchange: Exchange): Promise<BrowserSession | undefined> {
    return this.signIn.session(cookie(exchange, sessionCookie));
  }

  openForm(exchange: Exchange): OpenedForm {
    const present = cookie(exchange, formCookie);
    const value = present === undefined || !/^[\w-]{43}$/.test(present) ? randomToken() : present;
    // A form returns to its page's address, with the same query.
    const action = exchange.search === "" ? exchange.path : `${exchange.path}?${exchange.search}`;
    return {
      target: { action, token: this.#formToken(value) },
      headers: value === present ? {} : { "set-cookie": setCookie(exchange, formCookie, value) },
    };
  }

  /** True if this browser was given the form that it sends. */
  isOwnForm(exchange: Exchange, form: ReadonlyMap<string, string>): boolean {
    const value = cookie(exchange, formCookie);
    return value !== undefined && equalSecrets(form.get("form") ?? "", this.#formToken(value));
  }

  async startSession(
    exchange: Exchange,
    session: BrowserSession,
  ): Promise<Readonly<Record<string, string>>> {
    const id = await this.signIn.startSession(session.user, session.signedInAt);
    return { "set-cookie": setCookie(exchange, sessionCookie, id, sessionSeconds) };
  }

  async endSession(exchange: Exchange): Promise<Readonly<Record<string, string>>> {
    const id = cookie(exchange, sessionCookie);
    if (id !== undefined) await this.signIn.endSession(id);
    return { "set-cookie": setCookie(exchange, sessionCookie, "", 0) };
  }

  #formToken(value: string): string {
    return createHmac("sha256", this.signIn.formKey).update(value).digest("base64url");
  }
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

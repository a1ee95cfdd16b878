import { Refusal } from "#contract/problems.ts";
import { html } from "#lib/text/html.ts";
import { FormError } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Work } from "../../../work/work.ts";
import { siteOf, type Site } from "../../factors/service.ts";
import type { User } from "../../identity/service.ts";
import type { FactorStep, SignInOutcome, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import { addAppContent, recoveryCodesContent, showFactorContent } from "./factor-content.ts";
import type { PageOptions } from "../../../http/response/form-page.ts";
import { page } from "./page.ts";
import { passkeyScriptSource } from "./passkey-script.ts";

/** Runs a page's change with work whose first transaction has its entry in the audit log. */
export type RecordPage = <T>(exchange: Exchange, change: (work: Work) => Promise<T>) => Promise<T>;

const title = "Second factor";
const actions: ReadonlySet<string> = new Set(["show-code", "show-passkey", "confirm-app"]);

/** The step of a sign-in after a correct password: a second factor, or adding the first one. */
export class FactorPages {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly record: RecordPage,
  ) {}

  /** Runs a change of the user's factors; its audit entry names the user. */
  recordedAs<T>(exchange: Exchange, user: User, change: (work: Work) => Promise<T>): Promise<T> {
    const { oid, email, display_name: displayName, system_admin: admin } = user;
    exchange.principal = { oid, email, displayName, systemAdmin: admin === 1 };
    return this.record(exchange, change);
  }

  /** The page of this step. */
  async show(exchange: Exchange, step: FactorStep, options?: PageOptions): Promise<Response> {
    return step.result === "show-factor"
      ? this.#askForCode(exchange, step, options)
      : this.#addApp(exchange, step, options);
  }

  /** The outcome of a form of this step; a form error for any other form. */
  async take(
    exchange: Exchange,
    form: ReadonlyMap<string, string>,
    options?: PageOptions,
  ): Promise<SignInOutcome | { readonly response: Response }> {
    const action = form.get("action");
    const ticket = form.get("ticket") ?? "";
    const code = form.get("code") ?? "";
    if (!actions.has(action ?? "")) {
      throw new FormError("the form has an unknown action");
    }
    const user = await this.signIn.factorHolder(ticket);
    if (user === undefined) return { result: "wrong" };
    if (action === "show-passkey") {
      const site = siteOf(exchange.baseUrl);
      const credential = form.get("credential") ?? "";
      return this.recordedAs(exchange, user, (work) =>
        this.signIn.showPasskey(work, ticket, credential, site),
      );
    }
    if (action === "show-code") {
      return this.recordedAs(exchange, user, (work) => this.signIn.showCode(work, ticket, code));
    }
    const step = { result: "add-factor", user, ticket } as const;
    const id = form.get("factor") ?? "";
    try {
      const { recoveryCodes = [] } = await this.recordedAs(exchange, user, (work) =>
        this.signIn.factors.confirmApp(work, user.oid, id, code),
      );
      const session = await this.signIn.firstSession(user);
      const headers = await this.browser.startSession(exchange, session);
      const content = recoveryCodesContent(recoveryCodes, nextAddress(exchange));
      return { response: page("Recovery codes", content, { ...options, headers }) };
    } catch (error) {
      const fault = codeFault(error);
      return { response: await this.#addApp(exchange, { ...step, fault }, options, id) };
    }
  }

  async #askForCode(
    exchange: Exchange,
    { user, ticket, fault, waitMs = 0 }: FactorStep,
    options?: PageOptions,
  ): Promise<Response> {
    const { target, headers } = this.browser.openForm(exchange);
    const factors = await this.signIn.factors.active(user.oid);
    const seconds = Math.ceil(waitMs / 1000);
    const words = seconds > 0 ? `Too many wrong codes. Wait ${seconds} s, then try again.` : fault;
    const site = siteOf(exchange.baseUrl);
    const passkeyOptions = await this.signIn.passkeys.requestOptions(user, site);
    const content = showFactorContent(target, {
      ticket,
      passkeyOptions,
      otherHosts: otherHosts(factors, site),
      hasApp: factors.some(({ kind }) => kind === "totp"),
      fault: words,
    });
    const wait: Readonly<Record<string, string>> =
      seconds > 0 ? { "retry-after": String(seconds) } : {};
    const failed = words === undefined ? undefined : 401;
    const status = seconds > 0 ? 429 : failed;
    const script = passkeyOptions === undefined ? {} : { script: passkeyScriptSource };
    return page(title, content, {
      ...options,
      ...script,
      status,
      headers: { ...headers, ...wait },
    });
  }

  /** Shows the app of the form again after a wrong code, so that it stays in the user's app. */
  async #addApp(
    exchange: Exchange,
    { user, ticket, fault }: FactorStep,
    options?: PageOptions,
    presentId?: string,
  ): Promise<Response> {
    const { factors } = this.signIn;
    const { host } = siteOf(exchange.baseUrl);
    const app =
      (presentId === undefined ? undefined : await factors.pending(user, presentId, host)) ??
      (await this.recordedAs(exchange, user, (work) => factors.addPending(work, user, host)));
    const { target, headers } = this.browser.openForm(exchange);
    const content = await addAppContent(target, {
      app,
      words:
        "This platform asks your account for a second factor. Scan this with an authenticator " +
        "app, and enter the code that it shows.",
      action: "confirm-app",
      hidden: html`<input type="hidden" name="ticket" value="${ticket}" />`,
      fault,
    });
    const status = fault === undefined ? undefined : 422;
    return page("Add a second factor", content, { ...options, status, headers });
  }
}

function otherHosts(factors: readonly { readonly host: string | null }[], site: Site): string[] {
  const hosts = factors.flatMap(({ host }) => (host === null ? [] : [host]));
  return hosts.includes(site.host) ? [] : [...new Set(hosts)];
}

/** The sentence for a refused code; throws every other error. */
export function codeFault(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === "validation-failed") return "The code is not the one that the app shows now.";
  if (error.code === "not-found") return "This page was open for too long. Add the app again.";
  if (error.code === "rate-limited" || error.code === "conflict") return `${error.message}.`;
  throw error;
}

/** The address of this page for the session that has just begun, without another sign-in. */
function nextAddress(exchange: Exchange): string {
  const search = new URLSearchParams(exchange.search);
  search.delete("prompt");
  search.delete("max_age");
  const text = search.toString();
  return text === "" ? exchange.path : `${exchange.path}?${text}`;
}

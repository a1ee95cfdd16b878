import { Refusal } from "#contract/problems.ts";
import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { Work } from "../../../work/work.ts";
import { canHavePasskeys, siteOf, type PendingApp } from "../../factors/service.ts";
import type { User } from "../../identity/service.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import { addAppContent, recoveryCodesContent } from "./factor-content.ts";
import { addPasskeyContent, factorsContent } from "./factor-list-content.ts";
import { codeFault, type FactorPages } from "./factor-step.ts";
import type { Login, LoginOptions } from "./login.ts";
import { passkeyScriptSource } from "./passkey-script.ts";
import { page } from "./page.ts";

const title = "Second factors";
const loginOptions: LoginOptions = { purpose: "Sign in to see and change your second factors." };
/** A change needs a sign-in that is not older: a browser left open is not enough. */
const freshMs = 10 * 60 * 1000;

const changes: ReadonlySet<string> = new Set([
  "add-app",
  "confirm-new-app",
  "add-passkey",
  "remove",
  "renew-codes",
]);

type Form = ReadonlyMap<string, string>;

/** The page of the signed-in user's second factors; passkeys are added here only. */
export class FactorAccountPages {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly login: Login,
    private readonly steps: FactorPages,
  ) {}

  async answer(exchange: Exchange): Promise<Response> {
    const session = await this.#freshSession(exchange);
    if (exchange.method !== "POST") {
      if (session === undefined) return this.login.ask(exchange, loginOptions);
      const fields = uniqueFields(new URLSearchParams(exchange.search));
      return fields.get("add") === "passkey"
        ? this.#askForPasskey(exchange, session)
        : this.#list(exchange, session, {});
    }
    const form = await readForm(exchange.request);
    if (!this.browser.isOwnForm(exchange, form)) {
      return this.login.askAgain(exchange, loginOptions);
    }
    const action = form.get("action") ?? "";
    if (action === "cancel") return seeOther(exchange.path);
    if (changes.has(action)) {
      return session === undefined
        ? this.login.ask(exchange, loginOptions)
        : this.#changed(exchange, session, form);
    }
    const step = await this.login.take(exchange, form, loginOptions);
    if (step.response !== undefined) return step.response;
    return seeOther(exchange.path, await this.browser.startSession(exchange, step.session));
  }

  async #changed(exchange: Exchange, session: BrowserSession, form: Form): Promise<Response> {
    const { factors } = this.signIn;
    const { user } = session;
    const id = form.get("factor") ?? "";
    try {
      switch (form.get("action")) {
        case "add-app": {
          const { host } = siteOf(exchange.baseUrl);
          const add = (work: Work) => factors.addPending(work, user, host);
          const app = await this.#as(exchange, user, add);
          return await this.#showApp(exchange, app);
        }
        case "confirm-new-app":
          return await this.#confirmApp(exchange, session, form);
        case "add-passkey":
          return await this.#addPasskey(exchange, session, form);
        case "remove":
          await this.#as(exchange, user, (work) => factors.remove(work, user, id));
          return seeOther(exchange.path);
        default: {
          const renew = (work: Work) => factors.renewCodes(work, user.oid);
          const { recoveryCodes } = await this.#as(exchange, user, renew);
          return this.#showCodes(exchange, recoveryCodes, {});
        }
      }
    } catch (error) {
      const isExpected =
        error instanceof Refusal && (error.code === "conflict" || error.code === "not-found");
      if (!isExpected) throw error;
      return this.#list(exchange, session, { fault: `${error.message}.` });
    }
  }

  #as<T>(exchange: Exchange, user: User, change: (work: Work) => Promise<T>): Promise<T> {
    return this.steps.recordedAs(exchange, user, change);
  }

  /** The browser's session if it began some minutes ago at most. */
  async #freshSession(exchange: Exchange): Promise<BrowserSession | undefined> {
    const session = await this.browser.session(exchange);
    if (session === undefined) return undefined;
    const ageMs = this.signIn.now().getTime() - Date.parse(session.signedInAt);
    return ageMs > freshMs ? undefined : session;
  }

  async #list(
    exchange: Exchange,
    { user }: BrowserSession,
    { fault }: { readonly fault?: string },
  ): Promise<Response> {
    const { target, headers } = this.browser.openForm(exchange);
    const site = siteOf(exchange.baseUrl);
    const content = factorsContent(
      { ...target, action: exchange.path },
      {
        email: user.email,
        list: await this.signIn.factors.list(user),
        passkeyAddress: canHavePasskeys(site) ? `${exchange.path}?add=passkey` : undefined,
        fault,
      },
    );
    return page(title, content, { headers, status: fault === undefined ? undefined : 409 });
  }

  async #confirmApp(exchange: Exchange, session: BrowserSession, form: Form): Promise<Response> {
    const { factors } = this.signIn;
    const { user } = session;
    const id = form.get("factor") ?? "";
    try {
      const code = form.get("code") ?? "";
      const confirmed = await this.#as(exchange, user, (work) =>
        factors.confirmApp(work, user.oid, id, code),
      );
      return await this.#added(exchange, session, confirmed.recoveryCodes);
    } catch (error) {
      const fault = codeFault(error);
      const app = await factors.pending(user, id, siteOf(exchange.baseUrl).host);
      return app === undefined
        ? this.#list(exchange, session, { fault })
        : this.#showApp(exchange, app, fault);
    }
  }

  async #showApp(exchange: Exchange, app: PendingApp, fault?: string): Promise<Response> {
    const { target, headers } = this.browser.openForm(exchange);
    const content = await addAppContent(target, {
      app,
      words: "Scan this with an authenticator app, and enter the code that it shows.",
      action: "confirm-new-app",
      fault,
    });
    const status = fault === undefined ? undefined : 422;
    return page("Add an app", content, { headers, status });
  }

  async #askForPasskey(
    exchange: Exchange,
    { user }: BrowserSession,
    fault?: string,
  ): Promise<Response> {
    const { target, headers } = this.browser.openForm(exchange);
    const site = siteOf(exchange.baseUrl);
    if (!canHavePasskeys(site)) return seeOther(exchange.path);
    const options = await this.signIn.passkeys.creationOptions(user, site);
    const content = addPasskeyContent(target, { options, host: site.host, fault });
    return page("Add a passkey", content, {
      headers,
      status: fault === undefined ? undefined : 422,
      script: passkeyScriptSource,
    });
  }

  async #addPasskey(exchange: Exchange, session: BrowserSession, form: Form): Promise<Response> {
    const name = (form.get("name") ?? "").trim().slice(0, 100);
    const answer = {
      name: name === "" ? "Passkey" : name,
      credential: form.get("credential") ?? "",
    };
    const added = await this.#as(exchange, session.user, (work) =>
      this.signIn.passkeys.add(work, session.user, siteOf(exchange.baseUrl), answer),
    );
    if (added === undefined) {
      return this.#askForPasskey(exchange, session, "The passkey could not be added. Try again.");
    }
    return this.#added(exchange, session, added.recoveryCodes);
  }

  /** The first factor has ended the sessions of the user; this browser gets another one. */
  async #added(
    exchange: Exchange,
    session: BrowserSession,
    recoveryCodes: readonly string[] = [],
  ): Promise<Response> {
    if (recoveryCodes.length === 0) return seeOther(exchange.path);
    const headers = await this.browser.startSession(exchange, session);
    return this.#showCodes(exchange, recoveryCodes, headers);
  }

  #showCodes(
    exchange: Exchange,
    recoveryCodes: readonly string[],
    headers: Readonly<Record<string, string>>,
  ): Response {
    return page("Recovery codes", recoveryCodesContent(recoveryCodes, exchange.path), { headers });
  }
}

function seeOther(address: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: address, "cache-control": "no-store", ...headers },
  });
}

import type { Exchange } from "../../../http/exchange.ts";
import type { BrowserSession, ChoiceOutcome, SignInOutcome, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { FactorPages } from "./factor-step.ts";
import { choosePasswordContent, page, signInContent, type PageOptions } from "./page.ts";

/** The session of a user who has just signed in, or the next page. */
export type LoginStep =
  | { readonly session: BrowserSession; readonly response?: undefined }
  | { readonly response: Response };

export interface LoginOptions {
  /** A sentence that says what the sign-in is for. */
  readonly purpose: string;
  readonly page?: PageOptions;
}

/** The forms with a password, and the step after it: asking, checking, choosing a new one. */
export class Login {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly factors: FactorPages,
  ) {}

  ask(exchange: Exchange, options: LoginOptions, email = "", fault?: string): Response {
    const { target, headers } = this.browser.openForm(exchange);
    const content = signInContent(target, { purpose: options.purpose, email, fault });
    const status = fault === undefined ? undefined : 401;
    return page("Sign in", content, { ...options.page, status, headers });
  }

  /** Asks again after a form that this browser does not have or no longer has. */
  askAgain(exchange: Exchange, options: LoginOptions, email = ""): Response {
    const fault = "This page was open for too long. Please sign in again.";
    return this.ask(exchange, options, email, fault);
  }

  /** The step that one of these forms leads to; a form error for any other form. */
  async take(
    exchange: Exchange,
    form: ReadonlyMap<string, string>,
    options: LoginOptions,
  ): Promise<LoginStep> {
    const email = form.get("email") ?? "";
    const action = form.get("action");
    if (action === "sign-in") {
      const credentials = {
        email: email.trim(),
        password: form.get("password") ?? "",
        address: exchange.address,
      };
      const outcome = await this.signIn.signIn(credentials);
      const wrong = "The e-mail address or password is not correct.";
      return this.#next(exchange, outcome, options, { email: credentials.email, wrong });
    }
    if (action === "choose-password") {
      const ticket = form.get("ticket") ?? "";
      const password = form.get("new-password") ?? "";
      const outcome: ChoiceOutcome =
        password === form.get("repeated-password")
          ? await this.signIn.choosePassword(ticket, password)
          : { result: "refused", fault: "The two passwords are not the same.", ticket };
      const wrong = "This page was open for too long. Sign in with the one-time password again.";
      return this.#next(exchange, outcome, options, { email, wrong });
    }
    const next = await this.factors.take(exchange, form, options.page);
    if ("response" in next) return next;
    const wrong = "This page was open for too long. Please sign in again.";
    return this.#next(exchange, next, options, { email, wrong });
  }

  async #next(
    exchange: Exchange,
    outcome: ChoiceOutcome | SignInOutcome,
    options: LoginOptions,
    attempt: { readonly email: string; readonly wrong: string },
  ): Promise<LoginStep> {
    const { email, wrong } = attempt;
    switch (outcome.result) {
      case "signed-in":
        return { session: { user: outcome.user, signedInAt: outcome.signedInAt } };
      case "show-factor":
      case "add-factor":
        return { response: await this.factors.show(exchange, outcome, options.page) };
      case "choose-password":
        return { response: this.#choose(exchange, options, email, outcome.ticket) };
      case "refused":
        return { response: this.#choose(exchange, options, email, outcome.ticket, outcome.fault) };
      case "wait":
        return { response: this.#wait(exchange, options, email, outcome.waitMs) };
      case "wrong":
        return { response: this.ask(exchange, options, email, wrong) };
    }
  }

  #choose(
    exchange: Exchange,
    options: LoginOptions,
    email: string,
    ticket: string,
    fault?: string,
  ): Response {
    const { target, headers } = this.browser.openForm(exchange);
    const content = choosePasswordContent(target, { ticket, email, fault });
    const status = fault === undefined ? undefined : 422;
    return page("Choose a password", content, { ...options.page, status, headers });
  }

  #wait(exchange: Exchange, options: LoginOptions, email: string, waitMs: number): Response {
    const seconds = Math.ceil(waitMs / 1000);
    const fault = `Too many wrong passwords. Wait ${seconds} s, then try again.`;
    const response = this.ask(exchange, options, email, fault);
    const headers = new Headers(response.headers);
    headers.set("retry-after", String(seconds));
    return new Response(response.body, { status: 429, headers });
  }
}

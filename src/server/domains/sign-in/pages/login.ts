import type { PageOptions } from "../../../http/response/form-page.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { User } from "../../identity/service.ts";
import type { BrowserSession, ChoiceOutcome, SignInOutcome, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { FactorPages } from "./factor-step.ts";
import { choosePasswordContent, page, signInContent, type ChoiceAction } from "./page.ts";

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
    if (action === "choose-password" || action === "reset-password") {
      const outcome = await this.#chosen(exchange, form, action);
      const wrong = "This page was open for too long. Sign in with the one-time password again.";
      return this.#next(exchange, outcome, options, { email, wrong, action });
    }
    const next = await this.factors.take(exchange, form, options.page);
    if ("response" in next) return next;
    const wrong = "This page was open for too long. Please sign in again.";
    return this.#next(exchange, next, options, { email, wrong });
  }

  /** The form with the new password for the account of a mailed link. */
  askForReset(exchange: Exchange, options: LoginOptions, user: User, ticket: string): Response {
    return this.#choose(exchange, options, {
      action: "reset-password",
      email: user.email,
      ticket,
    });
  }

  async #chosen(
    exchange: Exchange,
    form: ReadonlyMap<string, string>,
    action: ChoiceAction,
  ): Promise<ChoiceOutcome> {
    const ticket = form.get("ticket") ?? "";
    const password = form.get("new-password") ?? "";
    if (password !== form.get("repeated-password")) {
      return { result: "refused", fault: "The two passwords are not the same.", ticket };
    }
    if (action === "choose-password") return this.signIn.choosePassword(ticket, password);
    const user = await this.signIn.resets.holder(ticket);
    if (user === undefined) return { result: "wrong" };
    return this.factors.recordedAs(exchange, user, (work) =>
      this.signIn.resetPassword(work, ticket, password),
    );
  }

  async #next(
    exchange: Exchange,
    outcome: ChoiceOutcome | SignInOutcome,
    options: LoginOptions,
    attempt: { readonly email: string; readonly wrong: string; readonly action?: ChoiceAction },
  ): Promise<LoginStep> {
    const { email, wrong, action = "choose-password" } = attempt;
    switch (outcome.result) {
      case "signed-in":
        return { session: { user: outcome.user, signedInAt: outcome.signedInAt } };
      case "show-factor":
      case "add-factor":
        return { response: await this.factors.show(exchange, outcome, options.page) };
      case "choose-password":
      case "refused":
        return { response: this.#choose(exchange, options, { ...outcome, action, email }) };
      case "wait":
        return { response: this.#wait(exchange, options, email, outcome.waitMs) };
      case "wrong":
        return { response: this.ask(exchange, options, email, wrong) };
    }
  }

  #choose(
    exchange: Exchange,
    options: LoginOptions,
    choice: {
      readonly action: ChoiceAction;
      readonly email: string;
      readonly ticket: string;
      readonly fault?: string;
    },
  ): Response {
    const { target, headers } = this.browser.openForm(exchange);
    const content = choosePasswordContent(target, { ...choice, fault: choice.fault });
    const status = choice.fault === undefined ? undefined : 422;
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

import { FormError } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { BrowserSession, ChoiceOutcome, SignInOutcome, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import { choosePasswordContent, page, signInContent, type PageOptions } from "./page.ts";

/** Somebody who has just proved who they are, or the page that comes next. */
export type LoginStep =
  | { readonly session: BrowserSession; readonly response?: undefined }
  | { readonly response: Response };

export interface LoginOptions {
  /** A sentence that says what the sign-in is for. */
  readonly purpose: string;
  readonly page?: PageOptions;
}

const wrongPassword = "The e-mail address or the password is not right.";
const tooLate = "That took too long: sign in with the one-time password again.";

/** The forms with a password, wherever they stand: asking, checking, choosing a new one. */
export class Login {
  readonly #signIn: SignInService;
  readonly #browser: Browser;

  constructor(signIn: SignInService, browser: Browser) {
    this.#signIn = signIn;
    this.#browser = browser;
  }

  /** The page that asks for address and password. */
  ask(exchange: Exchange, options: LoginOptions, email = "", fault?: string): Response {
    const opened = this.#browser.openForm(exchange);
    const content = signInContent(opened.target, {
      purpose: options.purpose,
      email,
      ...(fault === undefined ? {} : { fault }),
    });
    return page("Sign in", content, {
      ...options.page,
      ...(fault === undefined ? {} : { status: 401 }),
      headers: opened.headers,
    });
  }

  /** The same, for a form that this browser was not given, or too long ago. */
  askAgain(exchange: Exchange, options: LoginOptions, email = ""): Response {
    return this.ask(
      exchange,
      options,
      email,
      "This page was open for too long. Please sign in again.",
    );
  }

  /** What a form of this page leads to; a form error when it is none of the password forms. */
  async take(
    exchange: Exchange,
    form: ReadonlyMap<string, string>,
    options: LoginOptions,
  ): Promise<LoginStep> {
    const action = form.get("action");
    if (action === "sign-in") {
      const email = (form.get("email") ?? "").trim();
      const password = form.get("password") ?? "";
      const { address } = exchange;
      const outcome = await this.#signIn.signIn({ email, password, address });
      return this.#next(exchange, outcome, options, { email, wrong: wrongPassword });
    }
    if (action === "choose-password") {
      const ticket = form.get("ticket") ?? "";
      const chosen = form.get("new-password") ?? "";
      const outcome: ChoiceOutcome =
        chosen === form.get("repeated-password")
          ? await this.#signIn.choosePassword(ticket, chosen)
          : { result: "refused", fault: "The two passwords are not the same.", ticket };
      const email = form.get("email") ?? "";
      return this.#next(exchange, outcome, options, { email, wrong: tooLate });
    }
    throw new FormError("the form asks for nothing that is known here");
  }

  #next(
    exchange: Exchange,
    outcome: SignInOutcome | ChoiceOutcome,
    options: LoginOptions,
    attempt: { readonly email: string; readonly wrong: string },
  ): LoginStep {
    const { email, wrong } = attempt;
    switch (outcome.result) {
      case "signed-in":
        return { session: { user: outcome.user, signedInAt: outcome.signedInAt } };
      case "choose-password":
        return { response: this.#choose(exchange, options, email, outcome.ticket) };
      case "refused":
        return {
          response: this.#choose(exchange, options, email, outcome.ticket, outcome.fault),
        };
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
    const opened = this.#browser.openForm(exchange);
    const content = choosePasswordContent(opened.target, {
      ticket,
      email,
      ...(fault === undefined ? {} : { fault }),
    });
    return page("Choose a password", content, {
      ...options.page,
      ...(fault === undefined ? {} : { status: 422 }),
      headers: opened.headers,
    });
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

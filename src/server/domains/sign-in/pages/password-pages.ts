import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { Refusal } from "#contract/problems.ts";
import { isEmailAddress } from "#lib/email-address.ts";
import { html } from "#lib/text/html.ts";
import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { RecordPage } from "./factor-step.ts";
import type { Login, LoginOptions } from "./login.ts";
import { forgotPasswordContent, messagePage, page } from "./page.ts";

const title = "Forgot password";
const loginOptions: LoginOptions = { purpose: "Sign in to end the change of your password." };

/** The pages for a forgotten password: its request, and the link of the mail. */
export class PasswordPages {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly login: Login,
    private readonly record: RecordPage,
  ) {}

  async answer(exchange: Exchange): Promise<Response> {
    const ticket = uniqueFields(new URLSearchParams(exchange.search)).get("ticket");
    if (exchange.method === "POST") return this.#take(exchange, ticket);
    return ticket === undefined ? this.#askForAddress(exchange) : this.#show(exchange, ticket);
  }

  async #take(exchange: Exchange, ticket: string | undefined): Promise<Response> {
    const form = await readForm(exchange.request);
    if (!this.browser.isOwnForm(exchange, form)) {
      return ticket === undefined ? this.#askForAddress(exchange) : this.#show(exchange, ticket);
    }
    const action = form.get("action");
    if (action === "send-link") return this.#send(exchange, form.get("email") ?? "");
    if (action === "reset-password") {
      const holder = await this.signIn.resets.holder(form.get("ticket") ?? "");
      if (holder === undefined) return endedPage();
    }
    try {
      const step = await this.login.take(exchange, form, loginOptions);
      if (step.response !== undefined) return step.response;
      const headers = await this.browser.startSession(exchange, step.session);
      const words = "Return to the page or the terminal where you began, and sign in there.";
      return messagePage("Your password is changed", words, { headers });
    } catch (error) {
      // Another request has used the link at the same time.
      if (error instanceof Refusal && error.code === "conflict") return endedPage();
      throw error;
    }
  }

  #askForAddress(exchange: Exchange, fault?: string): Response {
    if (!this.signIn.resets.canMail(exchange.baseUrl)) {
      const words = "This platform sends no mail. Ask its administrator for a one-time password.";
      return messagePage(title, words);
    }
    const { target, headers } = this.browser.openForm(exchange);
    const status = fault === undefined ? undefined : 422;
    return page(title, forgotPasswordContent(target, fault), { headers, status });
  }

  /** The same page for every address, whether it has an account or not. */
  #send(exchange: Exchange, typed: string): Response {
    const email = typed.trim();
    if (!isEmailAddress(email)) {
      return this.#askForAddress(exchange, "This is not an e-mail address.");
    }
    this.signIn.resets.request({
      email,
      baseUrl: exchange.baseUrl,
      record: (change) => this.record(exchange, change),
    });
    const words =
      "If this address has an account with a password here, a link is on its way to it. It works " +
      "once, within 30 minutes.";
    return messagePage("Look into your mail", words);
  }

  async #show(exchange: Exchange, ticket: string): Promise<Response> {
    const user = await this.signIn.resets.holder(ticket);
    return user === undefined
      ? endedPage()
      : this.login.askForReset(exchange, loginOptions, user, ticket);
  }
}

function endedPage(): Response {
  const content = html`<p>The link was used before, or it has ended.</p>
    <p><a href="${authPath + signInPaths.password}">Request another link</a></p>`;
  return page(title, content, { status: 404 });
}

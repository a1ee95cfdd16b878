import { Refusal } from "#contract/problems.ts";
import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { passwordFault } from "../../identity/service.ts";
import type { OpenInvitation } from "../../members/service.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import {
  acceptedContent,
  invitationWords,
  joinContent,
  newAccountContent,
} from "./invitation-page.ts";
import type { Login, LoginOptions } from "./login.ts";
import { messagePage, page } from "./page.ts";

/** An invitation and its secret, as the page's address has it. */
interface Opened {
  readonly secret: string;
  readonly invitation: OpenInvitation;
  /** The address asks to sign in to an existing account. */
  readonly wantsSignIn: boolean;
}

const title = "Invitation";

/**
 * The page of an invitation's link: its holder joins with the account of this browser, signs in, or
 * makes an account. The secret alone proves the invitation.
 */
export class InvitationPages {
  constructor(
    private readonly signIn: SignInService,
    private readonly browser: Browser,
    private readonly login: Login,
  ) {}

  async answer(exchange: Exchange): Promise<Response> {
    const fields = uniqueFields(new URLSearchParams(exchange.search));
    const secret = fields.get("secret") ?? "";
    const wantsSignIn = fields.get("as") === "other";
    try {
      const invitation = await this.signIn.invitations.open(secret);
      const opened = { secret, invitation, wantsSignIn };
      return exchange.method === "POST"
        ? await this.#take(exchange, opened)
        : await this.#show(exchange, opened);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
      return messagePage(title, `${error.message}.`, { status: 404 });
    }
  }

  async #show(exchange: Exchange, opened: Opened): Promise<Response> {
    if (opened.wantsSignIn) return this.login.ask(exchange, loginOptions(opened));
    const session = await this.browser.session(exchange);
    return session === undefined
      ? this.#askForAccount(exchange, opened)
      : this.#askToJoin(exchange, opened, session, {});
  }

  async #take(exchange: Exchange, opened: Opened): Promise<Response> {
    const form = await readForm(exchange.request);
    if (!this.browser.isOwnForm(exchange, form)) return this.#show(exchange, opened);
    const action = form.get("action");
    const { invitations, work } = this.signIn;
    const session = await this.browser.session(exchange);
    if (action === "decline") {
      await invitations.decline(work, opened.secret, session?.user.oid);
      return messagePage("Declined", "You declined the invitation. You may close this page.");
    }
    if (action === "cancel") return messagePage("Nothing was changed", "You may close this page.");
    if (action === "join") {
      if (session === undefined) return this.#askForAccount(exchange, opened);
      return this.#join(opened, session, {});
    }
    if (action === "create") return this.#create(exchange, opened, form);
    const step = await this.login.take(exchange, form, loginOptions(opened));
    if (step.response !== undefined) return step.response;
    const headers = await this.browser.startSession(exchange, step.session);
    return this.#join(opened, step.session, headers);
  }

  #askForAccount(exchange: Exchange, opened: Opened, fault?: string): Response {
    const { target, headers } = this.browser.openForm(exchange);
    const content = newAccountContent(target, {
      words: invitationWords(opened.invitation),
      email: opened.invitation.email,
      signInAddress: otherAddress(exchange),
      fault,
    });
    const status = fault === undefined ? undefined : 422;
    return page(title, content, { headers, status });
  }

  #askToJoin(
    exchange: Exchange,
    opened: Opened,
    session: BrowserSession,
    fields: Readonly<Record<string, string>>,
  ): Response {
    const { target, headers } = this.browser.openForm(exchange);
    const content = joinContent(target, {
      words: invitationWords(opened.invitation),
      email: session.user.email,
      otherAddress: otherAddress(exchange),
    });
    return page(title, content, { headers: { ...headers, ...fields } });
  }

  async #create(
    exchange: Exchange,
    opened: Opened,
    form: ReadonlyMap<string, string>,
  ): Promise<Response> {
    const { email } = opened.invitation;
    const password = form.get("new-password") ?? "";
    const fault =
      password === form.get("repeated-password")
        ? passwordFault(password, email)
        : "The two passwords are not the same.";
    if (fault !== undefined) return this.#askForAccount(exchange, opened, fault);
    const { invitations, passwords, work } = this.signIn;
    const hash = await passwords.hash(password, exchange.address);
    const user = await invitations.acceptAsNew(work, opened.secret, hash);
    if (user === undefined) {
      const taken = "This address has an account already: sign in to it instead.";
      return this.#askForAccount(exchange, opened, taken);
    }
    const session = await this.signIn.firstSession(user);
    const headers = await this.browser.startSession(exchange, session);
    return joined(opened, headers);
  }

  async #join(
    opened: Opened,
    session: BrowserSession,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const { invitations, work } = this.signIn;
    await invitations.accept(work, opened.secret, session.user.oid);
    return joined(opened, headers);
  }
}

function joined({ invitation }: Opened, headers: Readonly<Record<string, string>>): Response {
  return page("Welcome", acceptedContent(invitation), { headers });
}

/** The same page, which asks to sign in to another account. */
function otherAddress(exchange: Exchange): string {
  const search = new URLSearchParams(exchange.search);
  search.set("as", "other");
  return `${exchange.path}?${search.toString()}`;
}

function loginOptions({ invitation }: Opened): LoginOptions {
  return { purpose: `Sign in to join ${invitation.workspaceName}.` };
}

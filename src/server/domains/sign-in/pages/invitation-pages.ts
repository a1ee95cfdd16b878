import { Refusal } from "#contract/problems.ts";
import { readForm, uniqueFields } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { passwordFault, minimumPasswordLength } from "../../identity/service.ts";
import type { OpenInvitation } from "../../members/service.ts";
import type { BrowserSession, SignInService } from "../service.ts";
import type { Browser } from "./browser.ts";
import type { Login, LoginOptions } from "./login.ts";
import {
  messagePage,
  page,
  autofocus,
  faultLine,
  passwordField,
  postForm,
  type FormTarget,
} from "./page.ts";
import { html, noHtml, type Html } from "#lib/text/html.ts";

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
    const hash = await passwords.hash(password, exchange.network);
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

/** The address of this page that asks to sign in to another account. */
function otherAddress(exchange: Exchange): string {
  const search = new URLSearchParams(exchange.search);
  search.set("as", "other");
  return `${exchange.path}?${search.toString()}`;
}

function loginOptions({ invitation }: Opened): LoginOptions {
  return { purpose: `Sign in to join ${invitation.workspaceName}.` };
}

/** Who invites to what, and the inviter's message. */
function invitationWords(invitation: OpenInvitation): Html {
  const { inviterName, workspaceName, roleName, message } = invitation;
  return html`<p>
      ${inviterName} invites you to the workspace <strong>${workspaceName}</strong> with the role
      ${roleName}.
    </p>
    ${message === undefined || message === "" ? noHtml : html`<p>${message}</p>`}`;
}

function joinContent(
  target: FormTarget,
  options: { readonly words: Html; readonly email: string; readonly otherAddress: string },
): Html {
  const { words, email, otherAddress } = options;
  const buttons = html`<button name="action" value="join" autofocus>Join as ${email}</button>
    ${declineButton}`;
  return html`${words} ${postForm(target, buttons)}
    <p><a href="${otherAddress}">Use another account</a></p>`;
}

function newAccountContent(
  target: FormTarget,
  options: {
    readonly words: Html;
    readonly email: string;
    readonly signInAddress: string;
    readonly fault: string | undefined;
  },
): Html {
  const { words, email, signInAddress, fault } = options;
  const fields = html`<input
      name="email"
      type="email"
      autocomplete="username"
      value="${email}"
      hidden
    />
    ${passwordField("new-password", "Password", autofocus)}
    ${passwordField("repeated-password", "Repeat the password", noHtml)}
    <button name="action" value="create">Make an account and join</button>`;
  return html`${words}
    <p>
      Choose a password with at least ${String(minimumPasswordLength)} characters for your account
      ${email}, or <a href="${signInAddress}">sign in to the account that you have</a>.
    </p>
    ${faultLine(fault)} ${postForm(target, fields)} ${postForm(target, declineButton)}`;
}

/** The next step: the inviter's address is a link, because a redirect could lead anywhere. */
function acceptedContent({ workspaceName, redirectUri }: OpenInvitation): Html {
  const next =
    redirectUri === undefined
      ? html`<p>You may close this page, or run <code>svc login</code>.</p>`
      : html`<p><a href="${redirectUri}">Continue to ${new URL(redirectUri).host}</a></p>`;
  return html`<p>You are now a member of ${workspaceName}.</p>
    ${next}`;
}

const declineButton = html`<button class="second" name="action" value="decline">Decline</button>`;

import { html, noHtml, type Html } from "#lib/html.ts";
import { minimumPasswordLength } from "../../identity/service.ts";
import type { OpenInvitation } from "../../members/service.ts";
import { autofocus, faultLine, passwordField, postForm, type FormTarget } from "./page.ts";

/** Who invites to what, and the inviter's message. */
export function invitationWords(invitation: OpenInvitation): Html {
  const { inviterName, workspaceName, roleName, message } = invitation;
  return html`<p>
      ${inviterName} invites you to the workspace <strong>${workspaceName}</strong> with the role
      ${roleName}.
    </p>
    ${message === undefined || message === "" ? noHtml : html`<p>${message}</p>`}`;
}

export function joinContent(
  target: FormTarget,
  options: { readonly words: Html; readonly email: string; readonly otherAddress: string },
): Html {
  const { words, email, otherAddress } = options;
  const buttons = html`<button name="action" value="join" autofocus>Join as ${email}</button>
    ${declineButton}`;
  return html`${words} ${postForm(target, buttons)}
    <p><a href="${otherAddress}">Use another account</a></p>`;
}

export function newAccountContent(
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
export function acceptedContent({ workspaceName, redirectUri }: OpenInvitation): Html {
  const next =
    redirectUri === undefined
      ? html`<p>You may close this page, or run <code>svc login</code>.</p>`
      : html`<p><a href="${redirectUri}">Continue to ${new URL(redirectUri).host}</a></p>`;
  return html`<p>You are now a member of ${workspaceName}.</p>
    ${next}`;
}

const declineButton = html`<button class="second" name="action" value="decline">Decline</button>`;

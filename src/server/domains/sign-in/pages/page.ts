import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { html, noHtml, type Html } from "#lib/text/html.ts";
import { formPages, type PageOptions } from "../../../http/response/form-page.ts";
import { minimumPasswordLength } from "../../identity/service.ts";

/** A sign-in page. It also works without its style, as plain forms in a text browser. */
export const page = formPages(`
label { display: block; margin: 0 0 0.25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; margin: 0 0 1rem; padding: 0.6rem;
  font: inherit; color: inherit; background: transparent; border-radius: 0.4rem;
  border: 1px solid light-dark(#8b95a3, #66717f); }
button.second { background: transparent; color: light-dark(#1d4ed8, #8ab4ff); }
a { color: light-dark(#1d4ed8, #8ab4ff); }
.fault { padding: 0.6rem 0.75rem; border-radius: 0.4rem;
  border: 1px solid light-dark(#b42318, #ff9a8f); color: light-dark(#b42318, #ff9a8f); }
.qr { display: grid; place-items: center; margin: 0 0 1rem; }
.qr svg { width: 12rem; height: 12rem; }
.secret, .codes { font: 600 0.95rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere; }
.codes { margin: 0 0 1rem; padding: 0; list-style: none; columns: 2; column-gap: 0.5rem;
  font-size: 0.85rem; white-space: nowrap; }
.code { font: 700 1.5rem ui-monospace, monospace; letter-spacing: 0.1em; }
`);

/** Where a form is sent, and the token that ties it to this browser. */
export interface FormTarget {
  readonly action: string;
  readonly token: string;
}

export function messagePage(title: string, message: string, options?: PageOptions): Response {
  return page(title, html`<p>${message}</p>`, options);
}

export function signInContent(
  target: FormTarget,
  options: { readonly purpose: string; readonly email: string; readonly fault: string | undefined },
): Html {
  const { purpose, email, fault } = options;
  const fields = html`<label for="email">E-mail address</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="username"
      required
      maxlength="254"
      value="${email}"
      ${email === "" ? autofocus : noHtml}
    />
    ${passwordField("password", "Password", email === "" ? noHtml : autofocus)}
    <button name="action" value="sign-in">Sign in</button>`;
  return html`<p>${purpose}</p>
    ${faultLine(fault)} ${postForm(target, fields)}
    ${postForm(target, html`<button class="second" name="action" value="cancel">Cancel</button>`)}
    <p><a href="${authPath + signInPaths.password}">Forgot password?</a></p>`;
}

export function forgotPasswordContent(target: FormTarget, fault: string | undefined): Html {
  const fields = html`<label for="email">E-mail address</label>
    <input
      id="email"
      name="email"
      type="email"
      autocomplete="username"
      required
      maxlength="254"
      autofocus
    />
    <button name="action" value="send-link">Send a link</button>`;
  return html`<p>Enter the address of your account to get a link for a new password by mail.</p>
    ${faultLine(fault)} ${postForm(target, fields)}`;
}

/** The account's one-time password is correct, or its mail has led here. */
export type ChoiceAction = "choose-password" | "reset-password";

const choiceWords: Readonly<Record<ChoiceAction, string>> = {
  "choose-password": "Your one-time password is correct. Choose a new password",
  "reset-password": "Choose a new password",
};

export function choosePasswordContent(
  target: FormTarget,
  options: {
    readonly action: ChoiceAction;
    readonly ticket: string;
    readonly email: string;
    readonly fault: string | undefined;
  },
): Html {
  const { action, ticket, email, fault } = options;
  const fields = html`<input type="hidden" name="ticket" value="${ticket}" />
    <input name="email" type="email" autocomplete="username" value="${email}" hidden />
    ${passwordField("new-password", "New password", autofocus)}
    ${passwordField("repeated-password", "Repeat the new password", noHtml)}
    <button name="action" value="${action}">Save and sign in</button>`;
  return html`<p>
      ${choiceWords[action]} with at least ${String(minimumPasswordLength)} characters for ${email}.
    </p>
    ${faultLine(fault)} ${postForm(target, fields)}`;
}

export function continueContent(
  target: FormTarget,
  options: { readonly purpose: string; readonly email: string; readonly otherAddress: string },
): Html {
  const buttons = html`<button name="action" value="continue" autofocus>
      Continue as ${options.email}
    </button>
    <button class="second" name="action" value="cancel">Cancel</button>`;
  return html`<p>${options.purpose}</p>
    ${postForm(target, buttons)}
    <p><a href="${options.otherAddress}">Use another account</a></p>`;
}

export function enterCodeContent(action: string, typed: string, fault?: string): Html {
  return html`<p>Enter the code that the other machine shows.</p>
    ${faultLine(fault)}
    <form method="get" action="${action}">
      <label for="user_code">Code</label>
      <input
        id="user_code"
        name="user_code"
        autocomplete="off"
        autocapitalize="characters"
        required
        maxlength="20"
        placeholder="XXXX-XXXX"
        value="${typed}"
        autofocus
      />
      <button>Next</button>
    </form>`;
}

export function approveDeviceContent(
  target: FormTarget,
  options: { readonly userCode: string; readonly email: string },
): Html {
  const buttons = html`<button name="action" value="approve">Sign in that machine</button>
    <button class="second" name="action" value="deny">Refuse</button>`;
  return html`<p>
      Another machine asks to sign in as <strong>${options.email}</strong>. Continue only if you
      started this yourself and the machine shows this code:
    </p>
    <p class="code">${options.userCode}</p>
    ${postForm(target, buttons)}`;
}

export function signOutContent(target: FormTarget, email: string): Html {
  return html`<p>This browser is signed in as ${email}.</p>
    ${postForm(target, html`<button name="action" value="sign-out">Sign out</button>`)}`;
}

export function postForm(target: FormTarget, content: Html): Html {
  return html`<form method="post" action="${target.action}">
    <input type="hidden" name="form" value="${target.token}" />
    ${content}
  </form>`;
}

export function passwordField(name: string, label: string, focus: Html): Html {
  const isNew = name !== "password";
  const minimum =
    name === "new-password" ? html`minlength="${String(minimumPasswordLength)}"` : noHtml;
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="password"
      autocomplete="${isNew ? "new-password" : "current-password"}"
      required
      ${minimum}
      maxlength="256"
      ${focus}
    />`;
}

export function faultLine(fault: string | undefined): Html {
  return fault === undefined ? noHtml : html`<p class="fault" role="alert">${fault}</p>`;
}

export const autofocus = html`autofocus`;

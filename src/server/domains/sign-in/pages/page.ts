import { createHash } from "node:crypto";
import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { cardStyle, htmlPage } from "#lib/text/html-page.ts";
import { html, noHtml, type Html } from "#lib/text/html.ts";
import { minimumPasswordLength } from "../../identity/service.ts";

/** The pages also work without it, as plain forms in a text browser. */
const style = `${cardStyle}
label { display: block; margin: 0 0 0.25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; margin: 0 0 1rem; padding: 0.6rem;
  font: inherit; color: inherit; background: transparent; border-radius: 0.4rem;
  border: 1px solid light-dark(#8b95a3, #66717f); }
button { box-sizing: border-box; width: 100%; margin: 0 0 0.5rem; padding: 0.65rem;
  font: inherit; font-weight: 600; border-radius: 0.4rem; cursor: pointer;
  border: 1px solid light-dark(#1d4ed8, #8ab4ff);
  background: light-dark(#1d4ed8, #8ab4ff); color: light-dark(#fff, #0b1420); }
button.second { background: transparent; color: light-dark(#1d4ed8, #8ab4ff); }
a { color: light-dark(#1d4ed8, #8ab4ff); }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #8ab4ff); outline-offset: 2px; }
.fault { padding: 0.6rem 0.75rem; border-radius: 0.4rem;
  border: 1px solid light-dark(#b42318, #ff9a8f); color: light-dark(#b42318, #ff9a8f); }
.qr { display: grid; place-items: center; margin: 0 0 1rem; }
.qr svg { width: 12rem; height: 12rem; }
.secret, .codes { font: 600 0.95rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere; }
.codes { margin: 0 0 1rem; padding: 0; list-style: none; columns: 2; column-gap: 0.5rem;
  font-size: 0.85rem; white-space: nowrap; }
.code { font: 700 1.5rem ui-monospace, monospace; letter-spacing: 0.1em; }
`;
const styleDigest = createHash("sha256").update(style).digest("base64");

/** Where a form is sent, and the token that ties it to this browser. */
export interface FormTarget {
  readonly action: string;
  readonly token: string;
}

export interface PageOptions {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The source of the only script that the page may run; none by default. */
  readonly script?: string;
  /** Where the response to a form may redirect; browsers check it after a redirect too. */
  readonly formOrigin?: string;
}

/** A sign-in page. It runs no script except that of passkeys, and no page can frame it. */
export function page(title: string, content: Html, options: PageOptions = {}): Response {
  const document = htmlPage(title, content, style);
  const formAction = options.formOrigin === undefined ? "'self'" : `'self' ${options.formOrigin}`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleDigest}'`,
    ...(options.script === undefined ? [] : [`script-src ${options.script}`]),
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return new Response(document.text, {
    status: options.status ?? 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      // With `no-referrer` browsers would send `Origin: null` with the forms of these pages.
      "referrer-policy": "same-origin",
      ...options.headers,
    },
  });
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

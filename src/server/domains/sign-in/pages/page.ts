import { createHash } from "node:crypto";
import { cardStyle, htmlPage } from "#lib/html-page.ts";
import { html, noHtml, type Html } from "#lib/html.ts";
import { minimumPasswordLength } from "../../identity/service.ts";

/** Works without it: the pages are plain forms, and text browsers read them as well. */
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
.code { font: 700 1.5rem ui-monospace, monospace; letter-spacing: 0.1em; }
`;
const styleDigest = createHash("sha256").update(style).digest("base64");

/** A form of ours: where it is sent, and the token that ties it to this browser. */
export interface FormTarget {
  readonly action: string;
  readonly token: string;
}

export interface PageOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where a form's answer may lead besides here; browsers check it after a redirect too. */
  readonly formOrigin?: string;
}

/** A whole page of the sign-in, that runs no script and stands in nobody's frame. */
export function page(title: string, content: Html, options: PageOptions = {}): Response {
  const document = htmlPage(title, content, style);
  const formAction = options.formOrigin === undefined ? "'self'" : `'self' ${options.formOrigin}`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleDigest}'`,
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
      // Not `no-referrer`: browsers would then send `Origin: null` with our own forms.
      "referrer-policy": "same-origin",
      ...options.headers,
    },
  });
}

export function signInContent(
  target: FormTarget,
  options: { readonly purpose: string; readonly email: string; readonly fault?: string },
): Html {
  return html`<p>${options.purpose}</p>
    ${faultLine(options.fault)}
    <form method="post" action="${target.action}">
      <input type="hidden" name="form" value="${target.token}" />
      <label for="email">E-mail address</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        required
        maxlength="254"
        value="${options.email}"
        ${options.email === "" ? autofocus : noHtml}
      />
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxlength="256"
        ${options.email === "" ? noHtml : autofocus}
      />
      <button name="action" value="sign-in">Sign in</button>
    </form>
    <form method="post" action="${target.action}">
      <input type="hidden" name="form" value="${target.token}" />
      <button class="second" name="action" value="cancel">Cancel</button>
    </form>`;
}

export function choosePasswordContent(
  target: FormTarget,
  options: { readonly ticket: string; readonly email: string; readonly fault?: string },
): Html {
  return html`<p>
      Your one-time password was right. Choose the password you will sign in with from now on: at
      least ${String(minimumPasswordLength)} characters.
    </p>
    ${faultLine(options.fault)}
    <form method="post" action="${target.action}">
      <input type="hidden" name="form" value="${target.token}" />
      <input type="hidden" name="ticket" value="${options.ticket}" />
      <input name="email" type="email" autocomplete="username" value="${options.email}" hidden />
      <label for="new-password">New password</label>
      <input
        id="new-password"
        name="new-password"
        type="password"
        autocomplete="new-password"
        required
        minlength="${String(minimumPasswordLength)}"
        maxlength="256"
        autofocus
      />
      <label for="repeated-password">The same again</label>
      <input
        id="repeated-password"
        name="repeated-password"
        type="password"
        autocomplete="new-password"
        required
        maxlength="256"
      />
      <button name="action" value="choose-password">Save and sign in</button>
    </form>`;
}

export function continueContent(
  target: FormTarget,
  options: { readonly purpose: string; readonly email: string; readonly otherAddress: string },
): Html {
  return html`<p>${options.purpose}</p>
    <form method="post" action="${target.action}">
      <input type="hidden" name="form" value="${target.token}" />
      <button name="action" value="continue" autofocus>Continue as ${options.email}</button>
      <button class="second" name="action" value="cancel">Cancel</button>
    </form>
    <p><a href="${options.otherAddress}">Use another account</a></p>`;
}

export function enterCodeContent(
  action: string,
  options: { readonly typed: string; readonly fault?: string },
): Html {
  return html`<p>Enter the code that the other machine shows.</p>
    ${faultLine(options.fault)}
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
        value="${options.typed}"
        autofocus
      />
      <button>Next</button>
    </form>`;
}

export function approveDeviceContent(
  target: FormTarget,
  options: { readonly userCode: string; readonly email: string },
): Html {
  return html`<p>
      A machine asks to be signed in as <strong>${options.email}</strong>. Go on only if you started
      this yourself and it shows this code:
    </p>
    <p class="code">${options.userCode}</p>
    <form method="post" action="${target.action}">
      <input type="hidden" name="form" value="${target.token}" />
      <button name="action" value="approve">Sign that machine in</button>
      <button class="second" name="action" value="deny">Refuse</button>
    </form>`;
}

export function signOutContent(target: FormTarget, email: string): Html {
  return html`<p>This browser is signed in as ${email}.</p>
    <form method="post" action="${target.action}">
      <input type="hidden" name="form" value="${target.token}" />
      <button name="action" value="sign-out">Sign out</button>
    </form>`;
}

export function messageContent(text: string): Html {
  return html`<p>${text}</p>`;
}

function faultLine(fault: string | undefined): Html {
  return fault === undefined ? noHtml : html`<p class="fault" role="alert">${fault}</p>`;
}

const autofocus = html` autofocus`;

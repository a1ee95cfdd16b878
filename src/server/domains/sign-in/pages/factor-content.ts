import type { Html } from "#lib/text/html.ts";
import { Html as Markup, html, noHtml } from "#lib/text/html.ts";
import type { PendingApp } from "../../factors/service.ts";
import { passkeyForm } from "./factor-list-content.ts";
import { autofocus, faultLine, postForm, type FormTarget } from "./page.ts";

/** The page that asks for the second factor, after a correct password. */
export function showFactorContent(
  target: FormTarget,
  options: {
    readonly ticket: string;
    readonly hasApp: boolean;
    /** Undefined without a passkey for this address. */
    readonly passkeyOptions: string | undefined;
    /** Hosts of passkeys that cannot be used at this address. */
    readonly otherHosts: readonly string[];
    readonly fault: string | undefined;
  },
): Html {
  const { ticket, hasApp, passkeyOptions, otherHosts, fault } = options;
  const label = hasApp ? "Code of your app, or a recovery code" : "Recovery code";
  const ticketField = html`<input type="hidden" name="ticket" value="${ticket}" />`;
  const passkey =
    passkeyOptions === undefined
      ? noHtml
      : passkeyForm(
          target,
          "get",
          passkeyOptions,
          html`${ticketField}
            <button name="action" value="show-passkey" autofocus>Use a passkey</button>`,
        );
  const elsewhere =
    otherHosts.length === 0
      ? noHtml
      : html`<p>Your passkey works at ${otherHosts.join(", ")} only, not at this address.</p>`;
  const focus = passkeyOptions === undefined ? autofocus : noHtml;
  const fields = html`${ticketField} ${codeField(label, hasApp ? "one-time-code" : "off", focus)}
    <button class="${passkeyOptions === undefined ? "" : "second"}" name="action" value="show-code">
      Sign in with the code
    </button>`;
  return html`<p>Your password is correct. This account also needs its second factor.</p>
    ${faultLine(fault)} ${elsewhere} ${passkey} ${postForm(target, fields)}
    ${postForm(target, html`<button class="second" name="action" value="cancel">Cancel</button>`)}`;
}

/** A new app: its QR code, its secret as text, and the field for its first code. */
export async function addAppContent(
  target: FormTarget,
  options: {
    readonly app: PendingApp;
    readonly words: string;
    readonly action: string;
    readonly hidden?: Html;
    readonly fault: string | undefined;
  },
): Promise<Html> {
  const { app, words, action, hidden = noHtml, fault } = options;
  const { renderSVG } = await import("uqr");
  const picture = new Markup(renderSVG(app.uri, { border: 2 }));
  const fields = html`${hidden}
    <input type="hidden" name="factor" value="${app.factorId}" />
    ${codeField("Code that the app shows", "one-time-code", autofocus)}
    <button name="action" value="${action}">Confirm</button>`;
  return html`<p>${words}</p>
    <div class="qr" role="img" aria-label="QR code for an authenticator app">${picture}</div>
    <p>Without a camera type this secret into the app:</p>
    <p class="secret">${grouped(app.secret)}</p>
    ${faultLine(fault)} ${postForm(target, fields)}
    ${postForm(target, html`<button class="second" name="action" value="cancel">Cancel</button>`)}`;
}

/** The recovery codes, which no later page shows again. */
export function recoveryCodesContent(codes: readonly string[], next: string): Html {
  const items = codes.map((code) => `<li>${code}</li>`).join("");
  return html`<p>
      Keep these recovery codes in a safe place. Each one signs you in once without your second
      factor. They are not shown again.
    </p>
    <ul class="codes">
      ${new Markup(items)}
    </ul>
    <p><a href="${next}">I have kept them: continue</a></p>`;
}

function codeField(label: string, completion: string, focus: Html): Html {
  return html`<label for="code">${label}</label>
    <input
      id="code"
      name="code"
      autocomplete="${completion}"
      autocapitalize="none"
      spellcheck="false"
      required
      maxlength="40"
      ${focus}
    />`;
}

/** Splits a secret into groups of four, which are easier to type. */
function grouped(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, "$& ");
}

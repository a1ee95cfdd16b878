import type { Factor, FactorList } from "#contract/access/factors.ts";
import { html, noHtml, type Html } from "#lib/text/html.ts";
import { faultLine, postForm, type FormTarget } from "./page.ts";
import { passkeyScript } from "./passkey-script.ts";

/** The second factors of an account, each with its removal, and the forms that add one. */
export function factorsContent(
  target: FormTarget,
  options: {
    readonly email: string;
    readonly list: FactorList;
    /** Undefined where browsers have no passkeys for the platform's address. */
    readonly passkeyAddress: string | undefined;
    readonly fault: string | undefined;
  },
): Html {
  const { email, list, passkeyAddress, fault } = options;
  const passkeyLine =
    passkeyAddress === undefined
      ? html`<p>Passkeys need an address with a name: https, or localhost on this machine.</p>`
      : html`<p><a href="${passkeyAddress}">Add a passkey</a></p>`;
  const codesForm =
    list.items.length === 0
      ? noHtml
      : html`<p>Recovery codes left: ${String(list.recoveryCodesLeft ?? 0)}</p>
          ${postForm(
            target,
            html`<button class="second" name="action" value="renew-codes">
              Replace the recovery codes
            </button>`,
          )}`;
  const none =
    list.items.length > 0 ? noHtml : html`<p>You have none: your password alone signs you in.</p>`;
  return html`<p>Account: ${email}</p>
    ${faultLine(fault)} ${none} ${joined(list.items.map((item) => factorItem(target, item)))}
    ${codesForm}
    ${postForm(target, html`<button name="action" value="add-app">Add an app with codes</button>`)}
    ${passkeyLine}`;
}

export function addPasskeyContent(
  target: FormTarget,
  options: { readonly options: string; readonly host: string; readonly fault: string | undefined },
): Html {
  const fields = html`<label for="name">Your name for it</label>
    <input id="name" name="name" maxlength="100" placeholder="Laptop" autocomplete="off" />
    <button name="action" value="add-passkey" autofocus>Add a passkey</button>`;
  return html`<p>
      This device, a phone or a security key makes a passkey for ${options.host}. It asks for your
      finger, face or PIN.
    </p>
    ${faultLine(options.fault)} ${passkeyForm(target, "create", options.options, fields)}
    ${postForm(target, html`<button class="second" name="action" value="cancel">Cancel</button>`)}`;
}

/** A form that the page's script fills with the answer of the browser. */
export function passkeyForm(
  target: FormTarget,
  kind: "create" | "get",
  options: string,
  fields: Html,
): Html {
  return html`<p id="passkey-fault" class="fault" role="alert" hidden></p>
    <form method="post" action="${target.action}" data-passkey="${kind}" data-options="${options}">
      <input type="hidden" name="form" value="${target.token}" />
      <input type="hidden" name="credential" value="" />
      ${fields}
    </form>
    ${passkeyScript}`;
}

function factorItem(target: FormTarget, factor: Factor): Html {
  const { factorId, kind, name = "", status, host, lastUsedAt } = factor;
  const what = kind === "passkey" ? `passkey at ${host ?? ""}` : "app with codes";
  const used = (lastUsedAt ?? "never").slice(0, 10);
  const state = status === "pending" ? "waits for its first code" : `last used: ${used}`;
  const fields = html`<input type="hidden" name="factor" value="${factorId}" />
    <button class="second" name="action" value="remove">Remove ${name}</button>`;
  return html`<p><strong>${name}</strong><br />${what}, ${state}</p>
    ${postForm(target, fields)}`;
}

function joined(parts: readonly Html[]): Html {
  return parts.reduce((all, part) => html`${all}${part}`, noHtml);
}

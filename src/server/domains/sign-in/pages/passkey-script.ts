import { createHash } from "node:crypto";
import { Html } from "#lib/text/html.ts";

/**
 * Asks the browser for a passkey when its form is sent, and sends the answer in its place. The page
 * works without it where a code is enough.
 */
const source = `
"use strict";
const form = document.querySelector("form[data-passkey]");
const field = form.elements.namedItem("credential");
const fault = document.getElementById("passkey-fault");
form.addEventListener("submit", async (event) => {
  if (field.value !== "") return;
  event.preventDefault();
  const button = event.submitter;
  fault.hidden = true;
  try {
    const options = JSON.parse(form.dataset.options);
    const credential = form.dataset.passkey === "create"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        });
    field.value = JSON.stringify(credential);
    form.requestSubmit(button);
  } catch (error) {
    fault.textContent = error instanceof ReferenceError || error instanceof TypeError
      ? "This browser cannot use passkeys at this address."
      : "The passkey was not used. Please try again.";
    fault.hidden = false;
  }
});
`;

export const passkeyScript = new Html(`<script>${source}</script>`);
/** The source that the page's policy allows; nothing else runs. */
export const passkeyScriptSource = `'sha256-${createHash("sha256").update(source).digest("base64")}'`;

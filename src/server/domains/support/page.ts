import { createHash } from "node:crypto";
import { supportDraftsPath } from "#contract/support.ts";
import { cardStyle, htmlPage } from "#lib/html-page.ts";
import { html, Html } from "#lib/html.ts";

const style = `${cardStyle}
main { width: min(48rem, 100%); }
pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 0.875rem/1.5 ui-monospace, monospace; }
`;

// The token leaves the address bar and the history before the request.
const script = `
const shown = new URLSearchParams(location.hash.slice(1));
const [draft, token] = [shown.get("draft"), shown.get("token")];
const words = document.getElementById("words");
history.replaceState(null, "", location.pathname + location.search);
async function openDraft() {
  const response = await fetch("${supportDraftsPath}/" + encodeURIComponent(draft) + "/open", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  document.getElementById("report").textContent = JSON.stringify(answer.report, null, 2);
  words.textContent = "Copy this report for the operator of this platform. It is shown once.";
}
if (draft && token) {
  words.textContent = "Loading the report …";
  openDraft().catch((error) => { words.textContent = error.message; });
}
`;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64");

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digestOf(style)}'`,
  `script-src 'sha256-${digestOf(script)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page of drafts and of the chat. Only its script knows the draft. */
export function supportPage(asksForChat: boolean): Response {
  const words = asksForChat
    ? "This platform has no chat. Contact its operator, or make a report with `svc support`."
    : "Make a report with `svc support`: it ends with an address that opens the report here.";
  const content = html`<p id="words" role="status">${words}</p>
    <pre id="report"></pre>
    ${new Html(`<script>${script}</script>`)}`;
  return new Response(htmlPage("Support", content, style).text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}

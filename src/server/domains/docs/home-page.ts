import { createHash } from "node:crypto";
import { docsPath } from "#contract/site.ts";
import { cardStyle, htmlPage } from "#lib/html-page.ts";
import { html } from "#lib/html.ts";
import { version } from "#lib/version.ts";

const style = `${cardStyle}
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0.35rem 0; }
a { color: light-dark(#0b5c6b, #5fc9dc); }
:focus-visible { outline: 3px solid light-dark(#0b5c6b, #5fc9dc); outline-offset: 2px; }
code { font-family: ui-monospace, monospace; }
`;
const styleDigest = createHash("sha256").update(style).digest("base64");

/** The platform's name and version, and the way to its documentation. */
export function homePage(hasDocs: boolean): Response {
  const docs = hasDocs
    ? html`<li><a href="${docsPath}/">Documentation</a></li>`
    : html`<li><code>svc --help</code> in a terminal</li>`;
  const content = html`<p>A workspace data platform, version ${version}.</p>
    <ul>
      ${docs}
      <li><a href="/v4/openapi.json">The interface as OpenAPI 3.1</a></li>
      <li><a href="/v4/data/resources/health">Health</a></li>
    </ul>`;
  return new Response(htmlPage("svc", content, style).text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      vary: "accept",
      "content-security-policy": [
        "default-src 'none'",
        `style-src 'sha256-${styleDigest}'`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}

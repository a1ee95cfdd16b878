import { cardStyle, htmlPage } from "#lib/html-page.ts";
import { html } from "#lib/html.ts";

/** What the browser shows when sign-in is over: a page that loads nothing and runs nothing. */
export function resultPage(status: number, heading: string, sentence: string): Response {
  const document = htmlPage(heading, html`<p>${sentence}</p>`, cardStyle);
  return new Response(document.text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      // The listener goes away now: a kept connection would only be cut.
      connection: "close",
    },
  });
}

import { cardStyle, htmlPage } from "#lib/html-page.ts";
import { html } from "#lib/html.ts";

/** The page at the end of a sign-in; it loads nothing and has no scripts. */
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
      // The listener closes after this response.
      connection: "close",
    },
  });
}

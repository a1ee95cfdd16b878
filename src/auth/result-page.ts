import { html } from "#lib/html.ts";

/** What the browser shows when sign-in is over: a page that loads nothing and runs nothing. */
export function resultPage(status: number, heading: string, sentence: string): Response {
  const document = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${heading}</title>
      <style>
        :root {
          color-scheme: light dark;
          font:
            1.1rem/1.5 system-ui,
            sans-serif;
        }
        body {
          display: grid;
          min-height: 90vh;
          place-content: center;
          text-align: center;
        }
        h1 {
          font-size: 1.6rem;
          margin: 0 0 0.5rem;
        }
        p {
          margin: 0;
          opacity: 0.8;
        }
      </style>
      <h1>${heading}</h1>
      <p>${sentence}</p>
    </html> `;
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

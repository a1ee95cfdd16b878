import { createHash } from "node:crypto";
import { cardStyle, htmlPage } from "#lib/text/html-page.ts";
import type { Html } from "#lib/text/html.ts";

const formStyle = `${cardStyle}
button { box-sizing: border-box; width: 100%; margin: 0 0 0.5rem; padding: 0.65rem;
  font: inherit; font-weight: 600; border-radius: 0.4rem; cursor: pointer;
  border: 1px solid light-dark(#1d4ed8, #8ab4ff);
  background: light-dark(#1d4ed8, #8ab4ff); color: light-dark(#fff, #0b1420); }
:focus-visible { outline: 3px solid light-dark(#1d4ed8, #8ab4ff); outline-offset: 2px; }
`;

export interface PageOptions {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The source of the only script that the page may run; none by default. */
  readonly script?: string;
  /** Where the response to a form may redirect; browsers check it after a redirect too. */
  readonly formOrigin?: string;
}

/**
 * Makes pages with forms and further styles, which must be a constant of ours. They run no script
 * but the named one, no page can frame them, and no cache keeps them.
 */
export function formPages(
  furtherStyle = "",
): (title: string, content: Html, options?: PageOptions) => Response {
  const style = formStyle + furtherStyle;
  const styleDigest = createHash("sha256").update(style).digest("base64");
  return (title, content, { status = 200, headers, script, formOrigin } = {}) => {
    const policy = [
      "default-src 'none'",
      `style-src 'sha256-${styleDigest}'`,
      ...(script === undefined ? [] : [`script-src ${script}`]),
      `form-action 'self'${formOrigin === undefined ? "" : ` ${formOrigin}`}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; ");
    return new Response(htmlPage(title, content, style).text, {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": policy,
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        // With `no-referrer` browsers would send `Origin: null` with the forms of these pages.
        "referrer-policy": "same-origin",
        ...headers,
      },
    });
  };
}

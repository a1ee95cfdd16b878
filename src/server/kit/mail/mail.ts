import { html, Html, noHtml } from "#lib/text/html.ts";

/** One mail to one address, as plain text and as HTML. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId?: string;
  /** Further header fields, whose values are ASCII. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Resolves once the mail server has taken the mail; at most some seconds. */
  send(mail: Mail): Promise<void>;
}

/** A paragraph, a link with its label, or a command to copy. */
export type MailPart =
  | string
  | { readonly label: string; readonly link: string }
  | { readonly command: string };

/**
 * A mail that greets by the first name, if there is one. Header values and the name have no line
 * breaks.
 */
export function letter(parts: {
  readonly to: string;
  readonly subject: string;
  readonly firstName: string | undefined;
  readonly content: readonly MailPart[];
}): Mail {
  const name = oneLine(parts.firstName ?? "");
  const content = [name === "" ? "Hello," : `Hello ${name},`, ...parts.content];
  const body = content.reduce((all, part) => html`${all}${htmlOf(part)}`, noHtml);
  return {
    to: parts.to,
    subject: oneLine(parts.subject),
    text: `${content.map(textOf).join("\n\n")}\n`,
    html: html`<!doctype html>
      <html lang="en">
        <body style="${bodyStyle}">
          ${body}
        </body>
      </html> `.text,
  };
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}

function textOf(part: MailPart): string {
  if (typeof part === "string") return part;
  return "link" in part ? `${part.label}:\n\n  ${part.link}` : `  ${part.command}`;
}

/** Mail programs ignore style sheets, so each element has its own style. */
const bodyStyle = new Html("margin:0;padding:24px;font:16px/1.5 sans-serif;max-width:600px");
const buttonStyle = new Html(
  "display:inline-block;padding:10px 16px;border-radius:6px;background:#1d4ed8;color:#ffffff;" +
    "font-weight:bold;text-decoration:none",
);
const smallStyle = new Html("font-size:13px;word-break:break-all");

function htmlOf(part: MailPart): Html {
  if (typeof part === "string") return html`<p style="white-space:pre-line">${part}</p> `;
  if ("command" in part) return html`<p><code>${part.command}</code></p> `;
  return html`<p><a href="${part.link}" style="${buttonStyle}">${part.label}</a></p>
    <p style="${smallStyle}">${part.link}</p> `;
}

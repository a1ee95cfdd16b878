import { given } from "#lib/given.ts";
import type { Mail, Mailer } from "./mail.ts";

/** Bounds each step of a mail; all of them together stay below `mailTimeMs` of invitations. */
const stepMs = 10_000;

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS, which is required for a login. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  /** The address of the sender, and the name that mail programs show for it. */
  readonly from: string;
  readonly fromName: string | undefined;
}

/** Reads `smtp[s]://user:password@host:port?from=Name <address>`; errors quote none of it. */
export function smtpServerOf(text: string): SmtpServer {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:")) {
    throw new TypeError("expected smtp://user:password@host:587?from=address");
  }
  if (url.hostname === "") throw new TypeError("the SMTP URL has no host");
  const isSecure = url.protocol === "smtps:";
  const user = decodeURIComponent(url.username);
  const sender = senderOf(url.searchParams.get("from") ?? "");
  if (sender === undefined) {
    throw new TypeError(
      "the SMTP URL needs ?from=address or ?from=Name <address>, the sender of all mails",
    );
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    login: user === "" ? undefined : { user, pass: decodeURIComponent(url.password) },
    ...sender,
  };
}

/** `address`, `<address>`, `Name <address>` or `"Name" <address>` (RFC 5322, 3.4). */
function senderOf(text: string): Pick<SmtpServer, "from" | "fromName"> | undefined {
  const address = /^([^\p{C}<>]*)<([^\s@<>]+@[^\s@<>]+)>$/u.exec(text.trim());
  if (address === null) {
    return /^[^\s@<>]+@[^\s@<>]+$/.test(text) ? { from: text, fromName: undefined } : undefined;
  }
  const [, given = "", from = ""] = address;
  const name = given.replaceAll('"', "").trim();
  return { from, fromName: name === "" ? undefined : name };
}

/** Sends each mail on its own connection: invitations are rare. The library is loaded then. */
export function smtpMailer(smtpUrl: string): Mailer {
  const { host, port, isSecure, login, from, fromName = "" } = smtpServerOf(smtpUrl);
  return {
    async send({ to, subject, text, html, messageId, headers = {} }: Mail): Promise<void> {
      const { default: nodemailer } = await import("nodemailer");
      const transport = nodemailer.createTransport({
        host,
        port,
        secure: isSecure,
        // A password must not cross the network in clear.
        requireTLS: login !== undefined && !isSecure,
        ...given({ auth: login }),
        connectionTimeout: stepMs,
        greetingTimeout: stepMs,
        socketTimeout: stepMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        // A text would be parsed as a list of addresses; an object is not.
        await transport.sendMail({
          from: { name: fromName, address: from },
          to: { name: "", address: to },
          subject,
          text,
          html,
          ...given({ messageId }),
          // Prepared values are sent as they are: a folded link would be another one.
          headers: Object.entries(headers).map(([key, value]) => {
            return { key, value: { prepared: true, value } };
          }),
        });
      } finally {
        transport.close();
      }
    },
  };
}

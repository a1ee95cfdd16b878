import type { OpenInvitation } from "./invitation-wire.ts";

/** One mail in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Resolves once the mail server has taken the mail; at most some seconds. */
  send(mail: Mail): Promise<void>;
}

/** The mail with the secret of an invitation. Header values have no line breaks. */
export function invitationMail(
  invitation: OpenInvitation,
  sent: {
    /** Undefined without a page to accept. */
    readonly link: string | undefined;
    readonly secret: string;
    readonly expiresAt: string;
  },
): Mail {
  const { workspaceName, roleName, inviterName, message, email } = invitation;
  const how =
    sent.link === undefined
      ? `To accept it, sign in and run:\n\n  svc user accept ${sent.secret}`
      : `To accept or decline it, open:\n\n  ${sent.link}`;
  const paragraphs = [
    `${oneLine(inviterName)} invites you to the workspace ${oneLine(workspaceName)} with the role ${roleName}.`,
    ...(message === undefined || message === "" ? [] : [message]),
    how,
    `The invitation is for you only, and it ends on ${sent.expiresAt.slice(0, 10)}. If you did not expect it, ignore this mail.`,
  ];
  return {
    to: email,
    subject: oneLine(`Invitation to ${workspaceName}`),
    text: `${paragraphs.join("\n\n")}\n`,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}

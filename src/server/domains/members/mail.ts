import { letter, oneLine, type Mail } from "../../kit/mail/mail.ts";
import type { OpenInvitation } from "./invitation-wire.ts";

/** The mail with the secret of an invitation. */
export function invitationMail(
  invitation: OpenInvitation,
  sent: {
    /** Undefined without a page to accept. */
    readonly link: string | undefined;
    readonly secret: string;
    readonly expiresAt: string;
  },
): Mail {
  const { workspaceName, roleName, inviterName, message, email, firstName } = invitation;
  const how =
    sent.link === undefined
      ? ["To accept it, sign in and run:", { command: `svc user accept ${sent.secret}` }]
      : [{ label: "Accept or decline the invitation", link: sent.link }];
  return letter({
    to: email,
    subject: `Invitation to ${workspaceName}`,
    firstName,
    content: [
      `${oneLine(inviterName)} invites you to the workspace ${oneLine(workspaceName)} with the role ${roleName}.`,
      ...(message === undefined || message === "" ? [] : [message]),
      ...how,
      `The invitation is for you only, and it ends on ${sent.expiresAt.slice(0, 10)}. If you did not expect it, ignore this mail.`,
    ],
  });
}

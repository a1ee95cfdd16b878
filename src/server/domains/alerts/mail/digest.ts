import type { Alert } from "#contract/events/alerts.ts";
import { letter, oneLine, type Mail, type MailPart } from "../../../kit/mail/mail.ts";

/** Alerts that one mail names of a workspace; the others are counted. */
export const namedAlerts = 30;

/** The alerts of one workspace in a mail. */
export interface DigestSection {
  readonly workspaceName: string;
  readonly workspaceSlug: string;
  /** The newest alerts; one more than {@link namedAlerts} says that there are others. */
  readonly alerts: readonly Pick<Alert, "message" | "ruleName" | "raisedAt">[];
  readonly unsubscribeLink: string;
}

/** The mail with the alerts of a person since the last one. */
export function digestMail(digest: {
  readonly to: string;
  readonly firstName: string;
  /** Equal for each attempt to send the same mail, so that a repetition is recognised. */
  readonly messageId: string;
  readonly sections: readonly DigestSection[];
  readonly unsubscribeLink: string;
}): Mail {
  const { to, firstName, messageId, sections, unsubscribeLink } = digest;
  const mail = letter({
    to,
    subject: subjectOf(sections),
    firstName: firstName === "" ? undefined : firstName,
    content: [
      ...sections.flatMap(sectionParts),
      "You get at most one mail with alerts an hour. `svc alert channel update` changes it, also " +
        "for a time or for one rule.",
      { label: "Stop all mails with alerts", link: unsubscribeLink },
    ],
  });
  return {
    ...mail,
    messageId,
    headers: {
      "List-Unsubscribe": `<${unsubscribeLink}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

function subjectOf(sections: readonly DigestSection[]): string {
  const named = sections.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const isMore = sections.some(({ alerts }) => alerts.length > namedAlerts);
  const [only, ...others] = sections;
  const place = others.length === 0 ? only?.workspaceName : `${sections.length} workspaces`;
  const count = isMore
    ? `More than ${named - 1} alerts`
    : `${named} alert${named === 1 ? "" : "s"}`;
  return `${count} in ${place}`;
}

function sectionParts(section: DigestSection): MailPart[] {
  const { workspaceName, workspaceSlug, alerts, unsubscribeLink } = section;
  const lines = alerts.slice(0, namedAlerts).map(({ message, ruleName, raisedAt = "" }) => {
    const time = `${raisedAt.slice(0, 16).replace("T", " ")} UTC`;
    return `${time}  ${oneLine(message ?? "")} (${oneLine(ruleName ?? "")})`;
  });
  if (alerts.length > namedAlerts) lines.push("There are older ones.");
  return [
    [`${oneLine(workspaceName)}:`, ...lines].join("\n"),
    { command: `svc alert list --status open --workspace ${workspaceSlug}` },
    { label: `Stop the mails of ${oneLine(workspaceName)}`, link: unsubscribeLink },
  ];
}

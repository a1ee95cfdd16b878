import { expect, test } from "vitest";
import { digestMail, namedAlerts } from "#server/domains/alerts/mail/digest.ts";

function mail(...counts: readonly number[]) {
  return digestMail({
    to: "ada@example.org",
    firstName: "Ada",
    messageId: "<1@example.org>",
    unsubscribeLink: "https://svc.example.org/alerts/unsubscribe?token=all",
    sections: counts.map((count, at) => ({
      workspaceName: `Place ${at}`,
      workspaceSlug: `place-${at}`,
      unsubscribeLink: `https://svc.example.org/alerts/unsubscribe?token=${at}`,
      alerts: Array.from({ length: count }, (_, number) => ({
        message: `permit ${number}\r\nBcc: all`,
        ruleName: "Due\nsoon",
        raisedAt: "2026-11-27T10:15:00.000Z",
      })),
    })),
  });
}

test("a mail names each alert in a line, its workspace and how to read and end them", () => {
  const { subject, text, headers } = mail(1, 2);
  expect(subject).toBe("3 alerts in 2 workspaces");
  expect(text).toContain("Place 0:\n2026-11-27 10:15 UTC  permit 0 Bcc: all (Due soon)\n");
  expect(text).toContain("svc alert list --status open --workspace place-1");
  expect(text).toContain("https://svc.example.org/alerts/unsubscribe?token=1");
  expect(headers).toEqual({
    "List-Unsubscribe": "<https://svc.example.org/alerts/unsubscribe?token=all>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

test("a mail counts what it does not name", () => {
  expect(mail(1).subject).toBe("1 alert in Place 0");
  const { subject, text } = mail(namedAlerts + 1);
  expect(subject).toBe(`More than ${namedAlerts} alerts in Place 0`);
  expect(text).toContain("There are older ones.");
});

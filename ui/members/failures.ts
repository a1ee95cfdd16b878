import type { FailureRule } from "../shell/platform/feed/failure-watch.ts";

const maximumInvitations = 100;

/** Invitations whose mail could not be sent. */
export const memberFailures: readonly FailureRule[] = [
  {
    name: "mails of invitations",
    place: "members",
    nouns: ["member"],
    judge: ({ type, changed }) =>
      (type === "svc.member.updated" && changed.includes("delivery")) || undefined,
    // An invitation also ends with its acceptance or with the next one to the same address.
    mayEnd: ({ type }) => type.startsWith("svc.member."),
    read: async (client, { tenantId, signal }) => {
      const { items } = await client.members.invitations({
        params: { tenantId },
        query: { limit: maximumInvitations },
        signal,
      });
      return items.flatMap(({ invitationId: id, email = id, delivery }) =>
        delivery === "mail-failed"
          ? [{ id, words: `${email}: the mail of the invitation could not be sent` }]
          : [],
      );
    },
  },
];

import type { Invitation, Member } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useList } from "../shell/platform/use-list.ts";

const keyOf = (member: Member) => member.memberId;

/** The members of the workspace that match a search, by e-mail address. */
export function useMembers(search: string, height: number): LiveList<Member> {
  return useList<Member>(
    ["members.list", search],
    (client, { page, cursor, limit, count, signal }, tenantId) =>
      client.members.list({
        tenantId,
        signal,
        query: {
          page,
          cursor,
          limit,
          sort: "email",
          ...(count ? { count } : {}),
          ...(search === "" ? {} : { search }),
        },
      }),
    { keyOf, height },
  );
}

const invitationKey = ({ invitationId }: Invitation) => invitationId;

/** The pending invitations of the workspace, the newest first. */
export function useInvitations(height: number): LiveList<Invitation> {
  return useList<Invitation>(
    ["members.invitations"],
    (client, { page, cursor, limit, count, signal }, tenantId) =>
      client.members.invitations({
        tenantId,
        signal,
        query: { page, cursor, limit, ...(count ? { count } : {}) },
      }),
    { keyOf: invitationKey, height },
  );
}

export function useMemberCount(): number | undefined {
  const { value } = useAnswer(
    ["members.count"],
    async (client, signal, tenantId) => {
      const query = { limit: 1, count: true };
      return (await client.members.list({ tenantId, query, signal })).total ?? null;
    },
    { shown: true },
  );
  return value ?? undefined;
}

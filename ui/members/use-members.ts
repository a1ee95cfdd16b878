import type { Member } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";

const refreshMs = 60_000;

const keyOf = (member: Member) => member.memberId;

/** The members of the workspace by e-mail address, those who fit a search only. */
export function useMembers(search: string, height: number): LiveList<Member> {
  const { tenantId } = usePlatform();
  return useList<Member>(
    ["workspaces.members", search],
    (client, { page, cursor, limit, count, signal }) =>
      client.workspaces.members({
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
    { keyOf, height, refreshMs, enabled: tenantId !== undefined },
  );
}

import type { Membership } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";
import { usePlatform } from "./use-platform.tsx";

const refreshMs = 60_000;

/** The workspaces that the user belongs to, with the role in each. */
export function useWorkspaces(): LiveAnswer<readonly Membership[]> {
  const { session } = usePlatform();
  return useAnswer(
    ["identity.tenants"],
    async (client, signal) => (await client.identity.tenants({ signal })).items,
    { refreshMs, enabled: session.signedIn },
  );
}

/** The role held in the open workspace, once it is known. */
export function useRole(): string | undefined {
  const { tenantId } = usePlatform();
  const { value } = useWorkspaces();
  return value?.find((membership) => membership.id === tenantId)?.role;
}

/** Names of the open workspace and those above it, outermost first. */
export function workspaceTrail(
  memberships: readonly Membership[],
  id: string | undefined,
): Membership[] {
  const byId = new Map(memberships.map((membership) => [membership.id, membership]));
  const trail: Membership[] = [];
  let at = id === undefined ? undefined : byId.get(id);
  while (at !== undefined && !trail.includes(at)) {
    trail.unshift(at);
    at = byId.get(at.parentId ?? "");
  }
  return trail;
}

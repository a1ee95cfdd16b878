import type { Membership } from "#client/index.ts";
import { useNotices } from "../use-notices.tsx";
import { useRouter } from "../use-router.tsx";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";
import { useHostActions } from "./use-host-actions.ts";
import { usePlatform } from "./use-platform.tsx";

const refreshMs = 60_000;

/** The user's workspaces; `shown` where they are what the screen shows. */
export function useWorkspaces(shown = false): LiveAnswer<readonly Membership[]> {
  const { session } = usePlatform();
  return useAnswer(
    ["identity.tenants"],
    async (client, signal) => (await client.identity.tenants({ signal })).items,
    { shown, refreshMs, enabled: session.signedIn, anywhere: true },
  );
}

/** The user's role in the open workspace, once it is known. */
export function useRole(): string | undefined {
  const { tenantId } = usePlatform();
  const { value } = useWorkspaces();
  return value?.find((membership) => membership.id === tenantId)?.role;
}

/** Opens a workspace and stores the choice for the next start. */
export function useOpenWorkspace(): (membership: Membership) => void {
  const { chooseWorkspace } = usePlatform();
  const actions = useHostActions();
  const { restart } = useRouter();
  const { sayFailure } = useNotices();
  return ({ id, slug, displayName }) => {
    chooseWorkspace({ id, slug, displayName });
    restart({ place: "resources" });
    actions.chooseWorkspace({ id, slug, displayName }).catch(sayFailure);
  };
}

/** The open workspace and those above it, outermost first. */
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

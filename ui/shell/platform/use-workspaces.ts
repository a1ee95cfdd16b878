import type { Membership } from "#client/index.ts";
import { memberships } from "#client/memberships.ts";
import { hubPart } from "../../kit/keys/use-keys.ts";
import { usePart } from "../../kit/state/part.ts";
import type { WorkspaceChoice } from "../../surface.ts";
import { useNotices } from "../notices.ts";
import { useOverlays } from "../overlays/overlays.ts";
import { useRouter } from "../router.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";
import { useHost } from "../host.ts";
import { useCommandLines } from "../use-copy.ts";
import { usePlatform, usePlatformLink } from "./use-platform.ts";

const refreshMs = 60_000;

/** The user's workspaces; `shown` where they are what the screen shows. */
export function useWorkspaces(shown = false): LiveAnswer<readonly Membership[]> {
  const { session } = usePlatform();
  return useAnswer(["identity.tenants"], (client, signal) => memberships(client, { signal }), {
    shown,
    refreshMs,
    enabled: session.signedIn,
    anywhere: true,
  });
}

/** The user's role in the open workspace, once it is known. */
export function useRole(): string | undefined {
  const { tenantId } = usePlatform();
  const { value } = useWorkspaces();
  return value?.find((membership) => membership.id === tenantId)?.role;
}

/** The IANA time zone of the open workspace. */
export function useTimeZone(): string {
  const { tenantId } = usePlatform();
  const { value } = useWorkspaces();
  return value?.find(({ id }) => id === tenantId)?.timeZone ?? "UTC";
}

/** The platform's reasons for what it refuses to the user, by capability; undefined if unknown. */
export function useRefusals(): Readonly<Record<string, string>> | undefined {
  const { table } = usePart(hubPart);
  const { value } = useAnswer(
    ["capabilities.evaluate"],
    async (client, signal, tenantId) => {
      const body = { capabilities: [...table.capabilities()], tenantId };
      const { decisions } = await client.capabilities.evaluate({ body, signal });
      if (decisions === undefined) return null;
      return Object.fromEntries(
        decisions.flatMap(({ capability, allowed, reason }) =>
          allowed || capability === undefined ? [] : [[capability, reason] as const],
        ),
      );
    },
    { refreshMs },
  );
  return value ?? undefined;
}

/** Opens a workspace; the profile keeps its own. */
export function useOpenWorkspace(): (membership: Membership) => void {
  const { chooseWorkspace } = usePlatformLink();
  const { restart } = useRouter();
  return ({ id, slug, displayName }) => {
    chooseWorkspace({ id, slug, displayName });
    restart({ place: "home" });
  };
}

/** Makes a workspace the default of commands, as `svc workspace select` does. */
export function useMakeDefault(): (workspace: WorkspaceChoice) => void {
  const { session } = usePlatform();
  const { changeDefault } = usePlatformLink();
  const { makeDefault } = useHost().actions;
  const { say, sayFailure } = useNotices();
  const { baseUrl, profile } = session;
  const overlays = useOverlays();
  const lines = useCommandLines();
  const start = ({ id, slug, displayName }: WorkspaceChoice) => {
    makeDefault(baseUrl, { id, slug, displayName }).then(() => {
      changeDefault(id);
      say("done", `${slug ?? id} on ${baseUrl} is the default of the profile ${profile}`);
    }, sayFailure);
  };
  return (workspace) =>
    overlays.confirm({
      title: `Make ${workspace.slug ?? workspace.id} the default workspace`,
      effects: [
        `1 workspace, for each command of the profile ${profile} that names none`,
        "the dashboard opens it too; another choice of it replaces this one",
      ],
      command: lines.onPlatform(["workspace", "select", workspace.slug ?? workspace.id]),
      onConfirm: () => start(workspace),
    });
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

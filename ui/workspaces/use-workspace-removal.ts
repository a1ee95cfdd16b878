import { memberships, type Membership } from "#client/index.ts";
import { useAct } from "../kit/places/action.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { workspaceDeletion, workspacePurge, workspaceRestoration } from "./actions.ts";

interface Removal {
  readonly remove: (workspace: Membership) => void;
  readonly purge: (child: Membership, parent: Membership | undefined) => void;
  /** Lets the user choose a deleted workspace. */
  readonly restore: () => void;
}

export function useWorkspaceRemoval(onChanged: () => void): Removal {
  const { client } = usePlatform();
  const { say } = useNotices();
  const overlays = useOverlays();
  const act = useAct();

  const choose = (deleted: readonly Membership[]): void =>
    overlays.choose({
      title: "Restore a workspace",
      placeholder: "a workspace",
      choices: deleted.map((workspace) => {
        const { id, slug, displayName, restorableUntil: end } = workspace;
        return {
          id,
          words: displayName === undefined ? slug : `${slug}  ${displayName}`,
          note: end === undefined ? undefined : `until ${end.slice(0, 10)}`,
          choose: () => act(workspaceRestoration, workspace, onChanged),
        };
      }),
    });

  return {
    remove: (workspace) => act(workspaceDeletion, workspace, onChanged),
    purge(child, parent) {
      if (parent?.role === "tenant-admin") return act(workspacePurge, { child, parent }, onChanged);
      return say("note", "only an admin of its parent can purge a workspace");
    },
    restore: () =>
      overlays.wait({
        title: "Restore a workspace",
        words: "Loading the deleted workspaces",
        ask: async (signal) => {
          const items = client ? await memberships(client, { deleted: true, signal }) : [];
          if (items.length === 0) return () => say("note", "no deleted workspace can be restored");
          return () => choose(items);
        },
      }),
  };
}

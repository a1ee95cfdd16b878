import { memberships, type Membership } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useCommandLines } from "../shell/platform/use-command-lines.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useNotices } from "../shell/notices.ts";
import { useReportedWork } from "../shell/notices.ts";

interface Removal {
  /** Deletes with a way back, after the user has typed the slug. */
  readonly remove: (workspace: Membership) => void;
  /** Purges a child as its parent's admin, after the user has typed the slug. */
  readonly purge: (child: Membership, parent: Membership | undefined) => void;
  /** Lets the user choose a deleted workspace. */
  readonly restore: () => void;
}

export function useWorkspaceRemoval(onChanged: () => void): Removal {
  const { client } = usePlatform();
  const { say } = useNotices();
  const overlays = useOverlays();
  const commands = useCommandLines();
  const run = useReportedWork(onChanged);
  return {
    remove({ id, slug }) {
      overlays.confirm({
        title: `Delete the workspace ${slug}`,
        effects: [
          "members, records, documents and chats answer as not found",
          "it can be restored until its deadline, then it is purged",
        ],
        command: commands.onPlatform(["workspace", "delete", id], { force: true }),
        typed: slug,
        onConfirm: () =>
          run(async () => {
            await client?.workspaceRemoval.delete({ params: { tenantId: id }, body: {} });
            return `deleted ${slug}; it can be restored`;
          }),
      });
    },
    purge(child, parent) {
      if (parent?.role !== "tenant-admin") {
        say("note", "only an admin of its parent can purge a workspace");
        return;
      }
      overlays.confirm({
        title: `Purge the workspace ${child.slug}`,
        effects: [
          "its members, Object Types, records, documents, files, jobs and chats",
          "this can't be undone",
        ],
        command: commands.onPlatform(["workspace", "delete", child.id], {
          parent: parent.id,
          "force-hard-purge": true,
        }),
        typed: child.slug,
        onConfirm: () =>
          run(async () => {
            const params = { parentId: parent.id, childId: child.id };
            const receipt = await client?.workspaceRemoval.purgeChild({ params });
            const { records = 0, documents = 0 } = receipt?.removed ?? {};
            const removed = `${counted(records, "record")}, ${counted(documents, "document")}`;
            return `purged ${child.slug}: ${removed}`;
          }),
      });
    },
    restore() {
      overlays.wait({
        title: "Restore a workspace",
        words: "Loading the deleted workspaces",
        ask: async (signal) => {
          const items = client ? await memberships(client, { deleted: true, signal }) : [];
          if (items.length === 0) return () => say("note", "no deleted workspace can be restored");
          return () =>
            overlays.choose({
              title: "Restore a workspace",
              placeholder: "a workspace",
              choices: items.map(({ id, slug, displayName, restorableUntil }) => ({
                id,
                words: displayName === undefined ? slug : `${slug}  ${displayName}`,
                note:
                  restorableUntil === undefined
                    ? undefined
                    : `until ${restorableUntil.slice(0, 10)}`,
                choose: () =>
                  run(async () => {
                    await client?.workspaceRemoval.restore({ params: { tenantId: id } });
                    return `restored ${slug}`;
                  }),
              })),
            });
        },
      });
    },
  };
}

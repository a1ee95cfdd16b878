import type { DomainHandlers } from "../../http/handler.ts";
import type { WorkspaceRemoval } from "./removal.ts";

export function workspaceRemovalHandlers({
  removal,
}: {
  readonly removal: WorkspaceRemoval;
}): DomainHandlers<"workspaceRemoval"> {
  return {
    delete({ body }, context) {
      const { work, principal, workspace, signal } = context;
      if (!body.hardPurge) return removal.delete(work, workspace.id);
      context.mayTakeLong();
      return removal.purgeTree(work, principal, workspace, signal);
    },
    restore: (_input, { work, workspace }) => removal.restore(work, workspace.id),
    purgeChild({ params }, context) {
      context.mayTakeLong();
      const { work, workspace, signal } = context;
      return removal.purgeChild(work, workspace.id, params.childId, signal);
    },
  };
}

import type { DomainHandlers } from "../../http/handler.ts";
import type { WorkspaceRemoval } from "./removal.ts";

export function workspaceRemovalHandlers({
  removal,
}: {
  readonly removal: WorkspaceRemoval;
}): DomainHandlers<"workspaceRemoval"> {
  return {
    delete({ body }, context) {
      const { principal, workspace, signal } = context;
      if (!body.hardPurge) return removal.delete(principal, workspace.id);
      context.mayTakeLong();
      return removal.purgeTree(principal, workspace, signal);
    },
    restore: (_input, { workspace }) => removal.restore(workspace.id),
    purgeChild({ params }, context) {
      context.mayTakeLong();
      const { principal, workspace, signal } = context;
      return removal.purgeChild(principal, workspace.id, params.childId, signal);
    },
  };
}

import type { DomainHandlers } from "../../http/handler.ts";
import type { WorkspaceService } from "./service.ts";

export function workspaceHandlers({
  workspaces,
}: {
  readonly workspaces: WorkspaceService;
}): DomainHandlers<"workspaces"> {
  return {
    createRoot: ({ body }, { work, principal }) => workspaces.createRoot(work, principal, body),
    createChild: ({ body }, { work, principal, workspace }) =>
      workspaces.createChild(work, principal, workspace.id, body),
    update: ({ body }, { work, workspace }) => workspaces.update(work, workspace.id, body),
    bootstrapAdmin: ({ params }, { work, principal }) =>
      workspaces.bootstrapAdmin(work, principal, params.parentId, params.childId),
  };
}

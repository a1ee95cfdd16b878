import type { DomainHandlers } from "../../http/handler.ts";
import type { WorkspaceService } from "./service.ts";

export function workspaceHandlers({
  workspaces,
}: {
  readonly workspaces: WorkspaceService;
}): DomainHandlers<"workspaces"> {
  return {
    createRoot: ({ body }, context) =>
      workspaces.createRoot(context.principal, body, (root) => context.remember(root)),
    createChild: ({ body }, context) =>
      workspaces.createChild(context.principal, context.workspace.id, body, (child) =>
        context.remember(child),
      ),
    bootstrapAdmin: ({ params }, { principal }) =>
      workspaces.bootstrapAdmin(principal, params.parentId, params.childId),
  };
}

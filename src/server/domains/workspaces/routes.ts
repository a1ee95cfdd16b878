import type { DomainHandlers } from "../../http/handler.ts";
import type { Invitations } from "./invitations.ts";
import type { MemberList } from "./members.ts";
import type { WorkspaceService } from "./service.ts";

export function workspaceHandlers({
  workspaces,
  invitations,
  members,
}: {
  readonly workspaces: WorkspaceService;
  readonly invitations: Invitations;
  readonly members: MemberList;
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
    memberships: async ({ params }, { principal, workspace }) => ({
      items: await workspaces.membershipsBelow(principal, workspace, params.oid),
    }),
    members: ({ query }, { workspace }) => members.list(workspace.id, query),
    invite: ({ body }, context) =>
      invitations.invite(context.principal, context.workspace.id, body, (invited) =>
        context.remember(invited),
      ),
  };
}

import type { DomainHandlers } from "../../http/handler.ts";
import type { Services } from "../../platform/services.ts";

export function workspaceHandlers(services: Services): DomainHandlers<"workspaces"> {
  const { workspaces, invitations, members } = services;
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
      items: await workspaces.memberships(principal, workspace, params.oid),
    }),
    members: ({ query }, { workspace }) => members.list(workspace.id, query),
    invite: ({ body }, context) =>
      invitations.invite(context.principal, context.workspace.id, body, (invited) =>
        context.remember(invited),
      ),
  };
}

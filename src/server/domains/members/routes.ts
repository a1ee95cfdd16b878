import type { Membership } from "#contract/identity.ts";
import type { AccountReceipt } from "#contract/members.ts";
import type { DomainHandlers, Principal, WorkspaceScope } from "../../http/handler.ts";
import type { Invitations } from "./invitations.ts";
import type { MemberList } from "./member-list.ts";
import type { RoleDefinitions } from "./roles.ts";
import type { MemberService } from "./service.ts";

export function memberHandlers({
  members,
  memberList,
  invitations,
  roles,
  accounts,
  workspaces,
}: {
  readonly members: MemberService;
  readonly memberList: MemberList;
  readonly invitations: Invitations;
  readonly roles: RoleDefinitions;
  /** Members of other domains, which build on this one. */
  readonly accounts: {
    setDisabled(oid: string, isDisabled: boolean): Promise<AccountReceipt>;
    revokeTokens(oid: string): Promise<AccountReceipt>;
    resetFactors(oid: string): Promise<AccountReceipt>;
  };
  readonly workspaces: {
    membershipsBelow(
      principal: Principal,
      workspace: WorkspaceScope,
      oid: string,
    ): Promise<Membership[]>;
  };
}): DomainHandlers<"members"> {
  return {
    byEmail: ({ query }, { workspace }) => members.byEmail(workspace.id, query.email),
    memberships: async ({ params }, { principal, workspace }) => ({
      items: await workspaces.membershipsBelow(principal, workspace, params.oid),
    }),
    provisionUser: ({ params, body }, context) =>
      invitations.provision(context, context.workspace.id, params.oid, body, (invited) =>
        context.remember(invited),
      ),
    list: ({ query }, { workspace }) => memberList.list(workspace.id, query),
    invite: ({ body }, context) =>
      invitations.invite(context, context.workspace.id, body, (invited) =>
        context.remember(invited),
      ),
    invitations: ({ query }, { workspace }) => invitations.list(workspace.id, query),
    revokeInvitation: ({ params }, { workspace }) =>
      invitations.revoke(workspace.id, params.invitationId),
    setRole: ({ params, body }, { workspace }) =>
      members.setRole(workspace.id, params.memberId, body),
    remove: ({ params }, { workspace }) => members.remove(workspace.id, params.memberId),
    leave: (_input, { principal, workspace }) => members.leave(principal, workspace.id),
    disable: ({ params }, { workspace }) =>
      members.setStatus(workspace.id, params.memberId, "disabled"),
    enable: ({ params }, { workspace }) =>
      members.setStatus(workspace.id, params.memberId, "active"),
    roleDefinitions: (_input, { workspace }) => roles.list(workspace.id),
    createRole: ({ body }, context) =>
      roles.create(context.principal, context.workspace.id, body, (definition) =>
        context.remember(definition),
      ),
    updateRole: ({ params, body }, { workspace }) =>
      roles.update(workspace.id, params.roleDefinitionId, body),
    deleteRole: ({ params }, { workspace }) => roles.delete(workspace.id, params.roleDefinitionId),
    disableUser: ({ params }) => accounts.setDisabled(params.oid, true),
    enableUser: ({ params }) => accounts.setDisabled(params.oid, false),
    revokeUserTokens: ({ params }) => accounts.revokeTokens(params.oid),
    resetFactors: ({ params }) => accounts.resetFactors(params.oid),
  };
}

import type { DomainHandlers } from "../../http/handler.ts";
import type { Accounts } from "../sign-in/service.ts";
import type { WorkspaceService } from "../workspaces/service.ts";
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
  readonly accounts: Accounts;
  readonly workspaces: WorkspaceService;
}): DomainHandlers<"members"> {
  return {
    byEmail: ({ query }, { work, workspace }) => members.byEmail(work, workspace.id, query.email),
    memberships: async ({ params }, { work, workspace }) => ({
      items: await workspaces.membershipsBelow(work, workspace, params.oid),
    }),
    provisionUser: ({ params, body }, { work, workspace, baseUrl }) =>
      invitations.provision(work, workspace.id, { ...params, choice: body, baseUrl }),
    list: ({ query }, { work, workspace }) => memberList.list(work, workspace.id, query),
    invite: ({ body }, { work, workspace, baseUrl }) =>
      invitations.invite(work, workspace.id, body, baseUrl),
    invitations: ({ query }, { work, workspace }) => invitations.list(work, workspace.id, query),
    revokeInvitation: ({ params }, { work, workspace }) =>
      invitations.revoke(work, workspace.id, params.invitationId),
    setRole: ({ params, body }, { work, workspace }) =>
      members.setRole(work, workspace.id, params.memberId, body),
    remove: ({ params, query }, { work, workspace }) =>
      members.remove(work, workspace.id, params.memberId, query.keys),
    leave: ({ query }, { work, workspace }) => members.leave(work, workspace.id, query.keys),
    disable: ({ params }, { work, workspace }) =>
      members.setStatus(work, workspace.id, params.memberId, "disabled"),
    enable: ({ params }, { work, workspace }) =>
      members.setStatus(work, workspace.id, params.memberId, "active"),
    roleDefinitions: (_input, { work, workspace }) => roles.list(work, workspace.id),
    createRole: ({ body }, { work, workspace }) => roles.create(work, workspace.id, body),
    updateRole: ({ params, body }, { work, workspace }) =>
      roles.update(work, workspace.id, params.roleDefinitionId, body),
    deleteRole: ({ params }, { work, workspace }) =>
      roles.delete(work, workspace.id, params.roleDefinitionId),
    disableUser: ({ params }, { work }) => accounts.setDisabled(work, params.oid, true),
    enableUser: ({ params }, { work }) => accounts.setDisabled(work, params.oid, false),
    revokeUserTokens: ({ params }, { work }) => accounts.revokeTokens(work, params.oid),
    resetPassword: ({ params }, { work }) => accounts.resetPassword(work, params.oid),
    resetFactors: ({ params }, { work }) => accounts.resetFactors(work, params.oid),
  };
}

import type { Identity, Membership } from "#contract/access/identity.ts";
import { maximumMemberships } from "#contract/limits.ts";
import { given } from "#lib/given.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { Principal } from "../../work/caller.ts";
import { workspaceNotFound } from "../../work/refusals.ts";
import type { Work } from "../../work/work.ts";
import type { Invitations } from "../members/service.ts";
import type { Accounts, SignInService } from "../sign-in/service.ts";
import type { WorkspaceService } from "../workspaces/service.ts";
import type { IdentityService } from "./service.ts";

export function identityHandlers({
  identity,
  workspaces,
  invitations,
  accounts,
  signIn,
}: {
  readonly identity: IdentityService;
  readonly workspaces: WorkspaceService;
  readonly invitations: Invitations;
  readonly accounts: Accounts;
  readonly signIn: SignInService;
}): DomainHandlers<"identity"> {
  const membershipIn = async (
    work: Work,
    principal: Principal,
    id: string,
  ): Promise<Membership> => {
    const found = await workspaces.membershipIn(work, principal, id);
    if (found === undefined) throw workspaceNotFound();
    return found;
  };
  return {
    me: (_input, { principal }) => identity.me(principal),
    tenants: async ({ query }, { work, principal }) => {
      const { deleted, page = 1, limit = maximumMemberships } = query;
      const found = await workspaces.membershipsOf(work, principal, {
        areDeleted: deleted === "true",
        limit: limit + 1,
        offset: (page - 1) * limit,
      });
      const items = found.slice(0, limit);
      return { items, page, limit, hasNextPage: found.length > limit };
    },
    /** A valid token already makes its user known, so there is nothing to create. */
    provision: async ({ body }, { work, principal }) => {
      const me: Identity = await identity.me(principal);
      if (body.tenantId === undefined) return me;
      return { ...me, membership: await membershipIn(work, principal, body.tenantId) };
    },
    updateProfile: ({ body }, { work, principal }) =>
      identity.updateProfile(work, principal.oid, body),
    acceptInvitation: async ({ body }, { work, principal }) => {
      const { id } = await invitations.accept(work, body.secret, principal.oid);
      return membershipIn(work, principal, id);
    },
    declineInvitation: async ({ body }, { work, principal }) => {
      await invitations.decline(work, body.secret, principal.oid);
      return { status: "declined" as const };
    },
    revokeTokens: async (_input, { work, principal }) => {
      const { oid, revokedGrants } = await accounts.revokeTokens(work, principal.oid);
      return { oid, ...given({ revokedGrants }) };
    },
    sessions: ({ query }, { work, principal }) => accounts.sessions(work, principal, query),
    endSession: ({ params }, { work, principal }) =>
      accounts.endSession(work, principal.oid, params.sessionId),
    changePassword: ({ body }, { work, principal, address }) =>
      signIn.changePassword(work, principal, body, address),
  };
}

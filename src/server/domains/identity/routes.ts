import type { Identity, Membership, PasswordChange, Session } from "#contract/identity.ts";
import { maximumMemberships } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { AccountReceipt } from "#contract/members.ts";
import type { DomainHandlers, Principal } from "../../http/handler.ts";
import { workspaceNotFound } from "../../http/pipeline-refusals.ts";
import type { IdentityService } from "./service.ts";

export function identityHandlers({
  identity,
  workspaces,
  invitations,
  accounts,
  signIn,
}: {
  readonly identity: IdentityService;
  /** Members of other domains, which build on this one. */
  readonly workspaces: {
    membershipsOf(
      principal: Principal,
      page: { areDeleted: boolean; limit: number; offset: number },
    ): Promise<Membership[]>;
    membershipIn(principal: Principal, id: string): Promise<Membership | undefined>;
  };
  readonly invitations: {
    accept(secret: string, oid: string): Promise<{ readonly id: string }>;
    decline(secret: string, oid: string): Promise<void>;
  };
  readonly accounts: {
    revokeTokens(oid: string): Promise<AccountReceipt>;
    sessions(principal: Principal, query: ListQuery): Promise<ListBody<Session>>;
    endSession(oid: string, id: string): Promise<{ sessionId: string; status: "ended" }>;
  };
  readonly signIn: {
    changePassword(
      principal: Principal,
      change: PasswordChange,
      address: string,
    ): Promise<{ oid: string; endedSessions: number }>;
  };
}): DomainHandlers<"identity"> {
  const membershipIn = async (principal: Principal, id: string): Promise<Membership> => {
    const found = await workspaces.membershipIn(principal, id);
    if (found === undefined) throw workspaceNotFound();
    return found;
  };
  return {
    me: (_input, { principal }) => identity.me(principal),
    tenants: async ({ query }, { principal }) => {
      const { deleted, page = 1, limit = maximumMemberships } = query;
      const found = await workspaces.membershipsOf(principal, {
        areDeleted: deleted === "true",
        limit: limit + 1,
        offset: (page - 1) * limit,
      });
      const items = found.slice(0, limit);
      return { items, page, limit, hasNextPage: found.length > limit };
    },
    /** A valid token already makes its user known, so there is nothing to create. */
    provision: async ({ body }, { principal }) => {
      const me: Identity = await identity.me(principal);
      if (body.tenantId === undefined) return me;
      return { ...me, membership: await membershipIn(principal, body.tenantId) };
    },
    updateProfile: ({ body }, { principal }) => identity.updateProfile(principal, body),
    acceptInvitation: async ({ body }, { principal }) => {
      const { id } = await invitations.accept(body.secret, principal.oid);
      return membershipIn(principal, id);
    },
    declineInvitation: async ({ body }, { principal }) => {
      await invitations.decline(body.secret, principal.oid);
      return { status: "declined" as const };
    },
    revokeTokens: async (_input, { principal }) => {
      const { oid, revokedGrants } = await accounts.revokeTokens(principal.oid);
      return { oid, ...(revokedGrants === undefined ? {} : { revokedGrants }) };
    },
    sessions: ({ query }, { principal }) => accounts.sessions(principal, query),
    endSession: ({ params }, { principal }) => accounts.endSession(principal.oid, params.sessionId),
    changePassword: ({ body }, { principal, address }) =>
      signIn.changePassword(principal, body, address),
  };
}

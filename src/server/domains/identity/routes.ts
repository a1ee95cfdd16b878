import type { Membership } from "#contract/identity.ts";
import type { DomainHandlers, Principal } from "../../http/handler.ts";
import type { IdentityService } from "./service.ts";

export function identityHandlers({
  identity,
  workspaces,
}: {
  readonly identity: IdentityService;
  /** A member of the workspaces domain, which builds on this one. */
  readonly workspaces: {
    membershipsOf(principal: Principal, options: { areDeleted: boolean }): Promise<Membership[]>;
  };
}): DomainHandlers<"identity"> {
  return {
    me: (_input, { principal }) => identity.me(principal),
    tenants: async ({ query }, { principal }) => ({
      items: await workspaces.membershipsOf(principal, { areDeleted: query.deleted === "true" }),
    }),
    /** A valid token already makes its user known, so there is nothing to create. */
    provision: (_input, { principal }) => identity.me(principal),
    updateProfile: ({ body }, { principal }) => identity.updateProfile(principal, body),
  };
}

import type { DomainHandlers } from "../../http/handler.ts";
import type { Services } from "../../platform/services.ts";

export function identityHandlers({ identity }: Services): DomainHandlers<"identity"> {
  return {
    me: (_input, { principal }) => identity.me(principal),
    tenants: async (_input, { principal }) => ({ items: await identity.memberships(principal) }),
    /** A valid token is all that a user needs to be known here, so this only answers who it is. */
    provision: (_input, { principal }) => identity.me(principal),
    updateProfile: ({ body }, { principal }) => identity.updateProfile(principal, body),
  };
}

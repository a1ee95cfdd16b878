import type { DomainHandlers } from "../../http/handler.ts";
import type { Principal } from "../../work/caller.ts";
import { presentUser, type User } from "../identity/service.ts";
import type { Factors } from "./service.ts";

export function factorHandlers({
  factors,
  access,
  signIn,
}: {
  readonly factors: Factors;
  /** Services of other domains, which build on this one. */
  readonly access: { user(oid: string): Promise<User | undefined> | User | undefined };
  readonly signIn: {
    requirePassword(oid: string, currentPassword: string, address: string): Promise<User>;
  };
}): DomainHandlers<"factors"> {
  const withPassword = (
    body: { readonly currentPassword: string },
    { principal, address }: { readonly principal: Principal; readonly address: string },
  ): Promise<User> => signIn.requirePassword(principal.oid, body.currentPassword, address);
  return {
    list: async (_input, { principal }) =>
      factors.list(presentUser(await access.user(principal.oid))),
    add: async ({ body }, context) =>
      factors.addApp(context.work, await withPassword(body, context), {
        host: new URL(context.baseUrl).hostname,
        name: body.name,
      }),
    confirm: ({ params, body }, { work, principal }) =>
      factors.confirmApp(work, principal.oid, params.factorId, body.code),
    remove: async ({ params, body }, context) =>
      factors.remove(context.work, await withPassword(body, context), params.factorId),
    renewCodes: async ({ body }, context) =>
      factors.renewCodes(context.work, (await withPassword(body, context)).oid),
  };
}

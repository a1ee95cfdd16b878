import type { DomainHandlers } from "../../http/handler.ts";
import type { Principal } from "../../work/caller.ts";
import { presentUser, type User } from "../identity/service.ts";
import type { AccessService } from "../members/service.ts";
import type { SignInService } from "../sign-in/service.ts";
import type { Factors } from "./service.ts";

export function factorHandlers({
  factors,
  access,
  signIn,
}: {
  readonly factors: Factors;
  readonly access: AccessService;
  readonly signIn: SignInService;
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

import { authPath } from "#contract/sign-in.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { IdpApps } from "./service.ts";

export function idpAppHandlers({
  idpApps,
}: {
  readonly idpApps: IdpApps;
}): DomainHandlers<"idpApps"> {
  return {
    list: ({ query }, { workspace }) => idpApps.list(workspace.id, query),
    provision: ({ body }, context) => {
      const { baseUrl, principal, workspace } = context;
      const request = { ...body, issuer: baseUrl + authPath };
      return idpApps.provision(principal, workspace.id, request, (answer) =>
        context.remember(answer),
      );
    },
    rotateSecret: ({ params }, context) => {
      const request = { ...params, issuer: context.baseUrl + authPath };
      return idpApps.rotate(context.workspace.id, request, (answer) => context.remember(answer));
    },
    remove: ({ params, query }, { workspace }) =>
      idpApps.remove(workspace.id, params.clientId, {
        keepsRegistration: query.keepRegistration === "true",
      }),
  };
}

import { authPath } from "#contract/access/sign-in.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { IdpApps } from "./service.ts";

export function idpAppHandlers({
  idpApps,
}: {
  readonly idpApps: IdpApps;
}): DomainHandlers<"idpApps"> {
  return {
    list: ({ query }, { work, workspace }) => idpApps.list(work, workspace.id, query),
    provision: ({ body }, { work, workspace, baseUrl }) =>
      idpApps.provision(work, workspace.id, { ...body, issuer: baseUrl + authPath }),
    rotateSecret: ({ params }, { work, workspace, baseUrl }) =>
      idpApps.rotate(work, workspace.id, { ...params, issuer: baseUrl + authPath }),
    remove: ({ params, query }, { work, workspace }) =>
      idpApps.remove(work, workspace.id, params.clientId, {
        keepsRegistration: query.keepRegistration === "true",
      }),
  };
}

import type { DomainHandlers } from "../../../http/handler.ts";
import type { ServiceKeys } from "./keys.ts";

export function keyHandlers({ keys }: { readonly keys: ServiceKeys }): DomainHandlers<"keys"> {
  return {
    list: ({ query }, { work, workspace }) => keys.list(work, workspace.id, query),
    create: ({ body }, { work, workspace }) => keys.create(work, workspace.id, body),
    setRole: ({ params, body }, { work, workspace }) =>
      keys.setRole(work, workspace.id, params.keyId, body),
    revoke: ({ params }, { work, workspace }) => keys.revoke(work, workspace.id, params.keyId),
  };
}

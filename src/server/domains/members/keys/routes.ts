import type { DomainHandlers } from "../../../http/handler.ts";
import type { ServiceKeys } from "./keys.ts";

export function keyHandlers({ keys }: { readonly keys: ServiceKeys }): DomainHandlers<"keys"> {
  return {
    list: ({ query }, { workspace }) => keys.list(workspace.id, query),
    create: ({ body }, context) =>
      keys.create(context.principal, context.workspace.id, body, (created) =>
        context.remember(created),
      ),
    setRole: ({ params, body }, { workspace }) => keys.setRole(workspace.id, params.keyId, body),
    revoke: ({ params }, { workspace }) => keys.revoke(workspace.id, params.keyId),
  };
}

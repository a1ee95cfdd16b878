import type { DomainHandlers } from "../../http/handler.ts";
import { platformLog, type AuditLog } from "./service.ts";

export function auditHandlers({ audit }: { readonly audit: AuditLog }): DomainHandlers<"audit"> {
  return {
    list: ({ query }, context) => audit.list(context.workspace.id, query, context),
    head: (_input, { workspace }) => audit.head(workspace.id),
    listPlatform: ({ query }, context) => audit.list(platformLog, query, context),
    headPlatform: () => audit.head(platformLog),
  };
}

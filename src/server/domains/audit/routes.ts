import type { DomainHandlers } from "../../http/handler.ts";
import { platformLog, type AuditLog } from "./service.ts";

export function auditHandlers({ audit }: { readonly audit: AuditLog }): DomainHandlers<"audit"> {
  return {
    list: ({ query }, context) => audit.list(context.work, context.workspace.id, query, context),
    head: (_input, { work, workspace }) => audit.head(work, workspace.id),
    listPlatform: ({ query }, context) => audit.list(context.work, platformLog, query, context),
    headPlatform: (_input, { work }) => audit.head(work, platformLog),
  };
}

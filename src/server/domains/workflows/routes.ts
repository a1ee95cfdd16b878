import type { DomainHandlers } from "../../http/handler.ts";
import type { WorkflowService } from "./service.ts";

export function workflowHandlers({
  workflows,
}: {
  readonly workflows: WorkflowService;
}): DomainHandlers<"workflows"> {
  return {
    status: ({ params, query }, { work }) =>
      workflows.status(work, query.tenant_id, params.workflowKey),
    request: ({ body }, { work }) => workflows.request(work, body),
    readiness: async ({ query }, { work }) => {
      const named = query.workflow_keys?.split(",").map((key) => key.trim());
      const keys = [...new Set(named?.filter((key) => key !== ""))];
      const items = await workflows.readiness(work, query.tenant_id, keys);
      return { items, page: 1, limit: Math.max(items.length, 1), hasNextPage: false };
    },
  };
}

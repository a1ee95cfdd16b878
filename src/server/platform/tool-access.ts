import type { CapabilityService } from "../domains/capabilities/service.ts";
import type { ToolAccess } from "../domains/chat/generative/tools.ts";
import type { ResourceService } from "../domains/records/service.ts";

/** The searches of the tools that a model may call for an answer. */
export function toolAccess({
  capabilities,
  resources,
}: {
  readonly capabilities: Pick<CapabilityService, "mayUse">;
  readonly resources: Pick<ResourceService, "search">;
}): ToolAccess {
  return {
    mayUse: (workspaceId, oid, capability) => capabilities.mayUse(workspaceId, oid, capability),
    searchRecords: (work, workspaceId, query, limit, signal) =>
      resources.search.run(work, workspaceId, { query, limit, mode: "hybrid" }, signal),
  };
}

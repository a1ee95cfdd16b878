import type { DomainHandlers } from "../../http/handler.ts";
import type { UnderstandingService } from "./service.ts";

export function understandingHandlers({
  understanding,
}: {
  readonly understanding: UnderstandingService;
}): DomainHandlers<"contentUnderstanding"> {
  return {
    capabilities: () => understanding.capabilities(),
    plan: ({ body }, { workspace }) => understanding.plan(workspace.id, body),
    apply: ({ body }, { workspace, principal, headers }) =>
      understanding.apply(principal, workspace.id, body, headers),
    operations: ({ query }, { workspace }) => understanding.operations(workspace.id, query),
    operation: ({ params }, { workspace }) =>
      understanding.operation(workspace.id, params.operationId),
  };
}

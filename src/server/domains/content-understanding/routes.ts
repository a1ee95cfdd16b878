import { operationId } from "#contract/documents/content-understanding.ts";
import { pointer } from "#contract/problems.ts";
import { invalid, validated } from "../../kit/faults.ts";
import type { DomainHandlers } from "../../http/handler.ts";
import type { UnderstandingService } from "./service.ts";

export function understandingHandlers({
  understanding,
}: {
  readonly understanding: UnderstandingService;
}): DomainHandlers<"contentUnderstanding"> {
  return {
    capabilities: () => understanding.capabilities(),
    plan: ({ body }, { work, workspace }) => understanding.plan(work, workspace.id, body),
    apply: ({ body }, { work, workspace, headers }) => {
      const id = validated(operationId, headers.get("operation-id") ?? undefined, "header");
      const digest = planDigest(headers);
      return understanding.apply(work, workspace.id, body, { id, digest });
    },
    operations: ({ query }, { work, workspace }) =>
      understanding.operations(work, workspace.id, query),
    operation: ({ params }, { work, workspace }) =>
      understanding.operation(work, workspace.id, params.operationId),
  };
}

/** The digest of the plan that `If-Match` names, in double quotes. */
function planDigest(headers: Headers): string {
  const digest = /^"([0-9a-f]{64})"$/.exec(headers.get("if-match") ?? "")?.[1];
  if (digest !== undefined) return digest;
  const detail = "must be the digest of a plan in double quotes";
  throw invalid([{ pointer: pointer("header", "If-Match"), detail }]);
}

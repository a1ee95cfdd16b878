import type { DomainHandlers } from "../../../http/handler.ts";
import type { GroupRules } from "./rules.ts";

export function groupRuleHandlers({
  groupRules,
}: {
  readonly groupRules: GroupRules;
}): DomainHandlers<"groupRules"> {
  return {
    list: ({ query }, { work, workspace }) => groupRules.list(work, workspace.id, query),
    set: ({ body }, { work, workspace }) => groupRules.set(work, workspace.id, body),
    delete: ({ params }, { work, workspace }) =>
      groupRules.delete(work, workspace.id, params.ruleId),
  };
}

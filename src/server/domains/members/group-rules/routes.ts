import type { DomainHandlers } from "../../../http/handler.ts";
import type { GroupRules } from "./rules.ts";

export function groupRuleHandlers({
  groupRules,
}: {
  readonly groupRules: GroupRules;
}): DomainHandlers<"groupRules"> {
  return {
    list: ({ query }, { workspace }) => groupRules.list(workspace.id, query),
    set: ({ body }, context) =>
      groupRules.set(context.principal, context.workspace.id, body, (answer) =>
        context.remember(answer),
      ),
    delete: ({ params }, { workspace }) => groupRules.delete(workspace.id, params.ruleId),
  };
}

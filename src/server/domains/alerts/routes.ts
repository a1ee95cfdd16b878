import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { Alerts } from "./service.ts";

export function alertHandlers({
  alerts: { list, rules, channels },
}: {
  readonly alerts: Pick<Alerts, "list" | "rules" | "channels">;
}): DomainHandlers<"alerts"> {
  const asking = ({ principal, workspace }: WorkspaceContext) => {
    return { oid: principal.oid, scope: workspace };
  };
  return {
    list: ({ query }, context) => list.list(context.work, asking(context), query),
    get: ({ params }, context) => list.get(context.work, asking(context), params.alertId),
    acknowledge: ({ params }, context) =>
      list.acknowledge(context.work, asking(context), params.alertId),
    listRules: ({ query }, context) => rules.list(context.work, asking(context), query),
    createRule: ({ body }, context) => rules.create(context.work, asking(context), body),
    getRule: ({ params }, context) => rules.get(context.work, asking(context), params.alertRuleId),
    updateRule: ({ params, body }, context) =>
      rules.update(context.work, asking(context), params.alertRuleId, body),
    removeRule: ({ params }, context) =>
      rules.remove(context.work, asking(context), params.alertRuleId),
    getChannels: ({ query }, context) => channels.get(context.work, asking(context), query.role),
    updateChannels: ({ body }, context) => channels.update(context.work, asking(context), body),
  };
}

import { shown } from "#cli/shown.ts";
import { catalogError } from "#contract/errors.ts";
import { usageError } from "#cli/errors.ts";
import { command } from "../../command.ts";
import { confirm } from "../../input/confirm.ts";
import { forceOption } from "../../resources/records/options.ts";
import { workspaceOption } from "../members.ts";

/** More rules than a workspace has at the embedded platform. */
const listLimit = 500;

export const userRuleDeleteCommand = command({
  path: "user rule delete",
  summary: "Delete the rule of a group, with the memberships that it has granted",
  arguments: [{ name: "rule", description: "ID of the rule, or the value of its claim" }],
  options: { workspace: workspaceOption, force: forceOption },
  routes: [
    "GET /v4/platform/tenants/{tenantId}/group-rules",
    "DELETE /v4/platform/tenants/{tenantId}/group-rules/{ruleId}",
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { rule: name } = input.arguments;
    if (!input.options.force) {
      await confirm(context, `Delete the rule ${name} with its memberships?`, "--force");
    }
    const client = await context.client({ workspace: input.options.workspace });
    const { items } = await client.groupRules.list({ query: { limit: listLimit }, signal });
    const byId = items.filter(({ ruleId }) => ruleId === name.toLowerCase());
    const found = byId.length > 0 ? byId : items.filter(({ value }) => value === name);
    const [rule] = found;
    if (rule === undefined) throw catalogError("E202", { resource: `Group rule "${name}"` });
    if (found.length > 1) {
      throw usageError(`${found.length} rules have the value "${name}": name the ID of one`);
    }
    const params = { ruleId: rule.ruleId };
    const receipt = await client.groupRules.delete({ params, signal });
    const count = receipt.removedMembers ?? 0;
    const ended = `${count} ${count === 1 ? "membership has" : "memberships have"} ended`;
    await output.data(receipt, () => shown`Deleted the rule of ${rule.value ?? name}; ${ended}`);
  },
});

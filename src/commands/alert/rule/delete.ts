import { shown } from "#cli/shown.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "alert rule delete",
  summary: "Delete an alert rule; its alerts stay",
  arguments: [{ name: "rule", description: "ID of the rule" }],
  options: { workspace: workspaceOption },
  calls: ["alerts.removeRule"],
  answer: "alerts.removeRule",
  trials: [{ words: "{id} --force", at: ["other", "stub"] }],
  confirms: ({ arguments: { rule } }) => `Delete the alert rule ${rule}?`,
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { alertRuleId: input.arguments.rule };
    const receipt = await client.alerts.removeRule({ params, signal });
    await output.data(receipt, () => shown`Deleted the alert rule ${receipt.id}`);
  },
});

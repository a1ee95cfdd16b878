import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";
import { ruleFields } from "./settings.ts";

export default command({
  path: "alert rule show",
  summary: "Show an alert rule",
  arguments: [{ name: "rule", description: "ID of the rule" }],
  options: { workspace: workspaceOption },
  calls: ["alerts.getRule"],
  answer: "alerts.getRule",
  trials: [{ words: "{id}", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { alertRuleId: input.arguments.rule };
    const rule = await client.alerts.getRule({ params, signal });
    await output.data(rule, () => output.fields(ruleFields(rule)));
  },
});

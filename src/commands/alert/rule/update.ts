import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { ruleFields, ruleOptions, settingsOf } from "./settings.ts";

export default command({
  path: "alert rule update",
  summary: "Change an alert rule, or switch it off and on",
  arguments: [{ name: "rule", description: "ID of the rule" }],
  options: {
    name: textOption("name", "New name"),
    enabled: { type: "boolean", negatable: true, description: "Raise alerts, or do not" },
    ...ruleOptions,
  },
  calls: ["alerts.updateRule"],
  answer: "alerts.updateRule",
  examples: ["svc alert rule update <ruleId> --no-enabled"],
  trials: [{ words: "{id} --name Later", at: ["other", "stub"] }],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const { name, enabled } = options;
    const body = { ...given({ name, enabled }), ...(await settingsOf(context, options)) };
    if (Object.keys(body).length === 0) throw missingField("--name", "or another change");
    const client = await context.client({ workspace: options.workspace });
    const params = { alertRuleId: input.arguments.rule };
    const rule = await client.alerts.updateRule({ params, body, signal });
    await output.data(rule, () => output.fields(ruleFields(rule)));
  },
});

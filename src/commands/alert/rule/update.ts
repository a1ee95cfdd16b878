import { textOption } from "#cli/command.ts";
import { missingField, usageError } from "#cli/errors.ts";
import { ruleSettings, type RuleSetting } from "#contract/events/alert-values.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { nameList } from "../../kit/output/rows.ts";
import { ruleFields, ruleOptions, settingsOf } from "./settings.ts";

export default command({
  path: "alert rule update",
  summary: "Change an alert rule, or switch it off and on",
  arguments: [{ name: "rule", description: "ID of the rule" }],
  options: {
    name: textOption("name", "New name"),
    clear: textOption("names", `Settings to remove, of ${ruleSettings.join(", ")}`),
    enabled: { type: "boolean", negatable: true, description: "Raise alerts, or do not" },
    ...ruleOptions,
  },
  calls: ["alerts.updateRule"],
  answer: "alerts.updateRule",
  examples: [
    "svc alert rule update <ruleId> --no-enabled",
    "svc alert rule update <ruleId> --clear operations,where",
  ],
  trials: [{ words: "{id} --name Later", at: ["other", "stub"] }],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const { name, enabled } = options;
    const removed = removedSettings(options.clear);
    const settings = await settingsOf(context, options);
    const twice = ruleSettings.find((each) => each in removed && each in settings);
    if (twice !== undefined) throw usageError(`--clear and --${twice} are about the same setting`);
    const body = { ...given({ name, enabled }), ...settings, ...removed };
    if (Object.keys(body).length === 0) throw missingField("--name", "or another change");
    const client = await context.client({ workspace: options.workspace });
    const params = { alertRuleId: input.arguments.rule };
    const rule = await client.alerts.updateRule({ params, body, signal });
    await output.data(rule, () => output.fields(ruleFields(rule)));
  },
});

/** The settings that `--clear` names, each null. Throws E305, wrong usage, for another name. */
function removedSettings(text: string | undefined): { readonly [Name in RuleSetting]?: null } {
  const names = text === undefined ? [] : nameList("--clear", text);
  const known = names.map((name) => {
    const setting = ruleSettings.find((each) => each === name);
    if (setting !== undefined) return setting;
    throw usageError(`--clear: "${name}" is not one of ${ruleSettings.join(", ")}`);
  });
  const removed: { [Name in RuleSetting]?: null } = {};
  for (const name of known) removed[name] = null;
  return removed;
}

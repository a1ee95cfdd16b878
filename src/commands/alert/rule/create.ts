import { alertKinds } from "#contract/events/alert-values.ts";
import { command } from "../../kit/command.ts";
import { ruleFields, ruleOptions, settingsOf } from "./settings.ts";

export default command({
  path: "alert rule create",
  summary: "Create an alert rule, for yourself unless it names a role or a member",
  description:
    "A rule raises one alert for each cause: an event of the feed, a deadline that comes near, a " +
    "failed job, a webhook endpoint that fails, a quota that is nearly used up, or a reset of the " +
    "feed. A filter on other properties than id raises an alert when a record comes to match.",
  arguments: [{ name: "name", description: "Name of the rule" }],
  options: {
    kind: { type: "string", values: alertKinds, default: "event", description: "Kind of the rule" },
    ...ruleOptions,
  },
  calls: ["alerts.createRule"],
  answer: "alerts.createRule",
  examples: [
    'svc alert rule create "Due soon" --kind deadline --types planning-application --days 3 --role tenant-staff',
    'svc alert rule create "My case" --kind event --types planning-application --where \'{"id":"01a2…"}\'',
  ],
  trials: ["Failed --kind job"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const settings = await settingsOf(context, options);
    const body = { name: input.arguments.name, kind: options.kind, ...settings };
    const client = await context.client({ workspace: options.workspace });
    const rule = await client.alerts.createRule({ body, signal });
    await output.data(rule, () => output.fields(ruleFields(rule)));
  },
});

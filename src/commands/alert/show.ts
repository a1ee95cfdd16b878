import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { alertFields } from "./alert-fields.ts";

export default command({
  path: "alert show",
  summary: "Show an alert",
  arguments: [{ name: "alert", description: "ID of the alert" }],
  options: { workspace: workspaceOption },
  calls: ["alerts.get"],
  answer: "alerts.get",
  trials: [{ words: "{id}", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { alertId: input.arguments.alert };
    const alert = await client.alerts.get({ params, signal });
    await output.data(alert, () => output.fields(alertFields(alert)));
  },
});

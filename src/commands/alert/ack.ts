import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { alertFields } from "./alert-fields.ts";

export default command({
  path: "alert ack",
  summary: "Acknowledge an alert for all of its recipients",
  arguments: [{ name: "alert", description: "ID of the alert" }],
  options: { workspace: workspaceOption },
  calls: ["alerts.acknowledge"],
  answer: "alerts.acknowledge",
  trials: [{ words: "{id}", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options.workspace });
    const params = { alertId: input.arguments.alert };
    const alert = await client.alerts.acknowledge({ params, signal });
    await output.data(alert, () => output.fields(alertFields(alert)));
  },
});

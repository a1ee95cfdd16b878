import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

export default command({
  path: "workflow status",
  summary: "Whether a workflow can be used, and why",
  arguments: [{ name: "key", description: "Key of the workflow" }],
  options: { workspace: { ...tenantOption, aliases: ["tenant", "tenant-id"] } },
  calls: ["workflows.status"],
  answer: "workflows.status",
  examples: ["svc workflow status planning-assistant"],
  trials: ["{workflow}"],
  async run(input, context) {
    const { output, signal } = context;
    const workflowKey = input.arguments.key;
    const client = await context.client({ workspace: input.options.workspace });
    const query = { tenant_id: client.tenantId ?? "" };
    const answer = await client.workflows.status({ params: { workflowKey }, query, signal });
    await output.data(answer, () =>
      output.fields([
        ["workflow", answer.workflow_key ?? workflowKey],
        ["status", answer.status],
        ["reason", answer.reason],
        ["requested", answer.requestedAt],
      ]),
    );
  },
});

import { command, tenantOption } from "../command.ts";

export const workflowStatusCommand = command({
  path: "workflow status",
  summary: "Whether a workflow can be used, and why",
  arguments: [{ name: "key", description: "Key of the workflow" }],
  options: { workspace: { ...tenantOption, aliases: ["tenant", "tenant-id"] } },
  routes: ["GET /v4/workflows/runtime/{workflowKey}/status"],
  examples: ["svc workflow status planning-assistant"],
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

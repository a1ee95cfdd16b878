import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

export default command({
  path: "workflow request",
  summary: "Ask the operators for a workflow",
  arguments: [{ name: "key", description: "Key of the workflow" }],
  options: {
    workspace: { ...tenantOption, aliases: ["tenant", "tenant-id"] },
    "display-name": textOption("name", "Name of the workflow (default: its key)"),
    reason: textOption("text", "Purpose of the workflow"),
  },
  calls: ["workflows.request"],
  answer: "workflows.request",
  trials: ["wish-{unique} --reason Needed"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const key = input.arguments.key;
    const client = await context.client({ workspace: options.workspace });
    const answer = await client.workflows.request({
      body: {
        tenant_id: client.tenantId ?? "",
        workflow_key: key,
        display_name: options["display-name"] ?? key,
        reason: options.reason ?? `Requested with svc for ${key}`,
      },
      signal,
    });
    await output.data(answer, () =>
      output.fields([
        ["workflow", answer.workflow_key ?? key],
        ["status", answer.status],
        ["request", answer.requestId],
        ["requested", answer.requestedAt],
      ]),
    );
  },
});

import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

export default command({
  path: "workflow readiness",
  summary: "Which workflows are ready, and what the others need",
  description: "The exit code is 1 when a workflow is not ready.",
  arguments: [
    { name: "keys", description: "Workflows (default: all)", optional: true, variadic: true },
  ],
  options: { workspace: { ...tenantOption, aliases: ["tenant", "tenant-id"] } },
  calls: ["workflows.readiness"],
  answer: "workflows.readiness",
  examples: ["svc workflow readiness planning-assistant"],
  trials: ["{workflow}", { words: "{workflow} wish-{unique}", at: ["other"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { keys } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const answer = await client.workflows.readiness({
      query: {
        tenant_id: client.tenantId ?? "",
        ...(keys.length === 0 ? {} : { workflow_keys: keys.join(",") }),
      },
      signal,
    });
    const { items } = answer;
    await output.data(answer, () =>
      output.table(items, [
        { heading: "workflow", value: (row) => row.workflow_key, whole: true },
        { heading: "ready", value: ({ ready }) => (ready ? "yes" : "no"), whole: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "reason", value: ({ reason }) => reason, optional: true },
      ]),
    );
    if (items.length === 0 && !output.isJson) await output.note(shown`No workflows`);
    return items.every(({ ready }) => ready) ? exitCodes.done : exitCodes.failed;
  },
});

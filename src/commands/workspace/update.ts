import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { findWorkspace } from "../kit/workspaces/find.ts";

export default command({
  path: "workspace update",
  summary: "Change the time zone of a workspace",
  description: "Days of the workspace, e.g. those of due dates, begin in this time zone.",
  arguments: [{ name: "id", description: "ID or slug" }],
  options: {
    "time-zone": { type: "string", placeholder: "zone", required: true, description: "IANA name" },
  },
  calls: ["identity.tenants", "workspaces.update"],
  answer: "workspaces.update",
  examples: ["svc workspace update planning --time-zone Europe/London"],
  trials: ["{slug} --time-zone Europe/London"],
  async run(input, context) {
    const { output, signal } = context;
    const { id: tenantId, slug } = await findWorkspace(context, input.arguments.id);
    const client = await context.clientWithoutWorkspace();
    const changed = await client.workspaces.update({
      params: { tenantId },
      body: { timeZone: input.options["time-zone"] },
      signal,
    });
    await output.data(changed, () => shown`${slug} has the time zone ${changed.timeZone ?? ""}`);
  },
});

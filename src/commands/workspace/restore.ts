import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../kit/command.ts";
import { everyWorkspace, workspaceIn } from "../kit/workspaces/find.ts";

export default command({
  path: "workspace restore",
  summary: "Restore a deleted workspace before its deadline",
  arguments: [{ name: "id", description: "ID or slug; `svc workspace list --deleted` lists them" }],
  options: {},
  calls: ["identity.tenants", "workspaceRemoval.restore"],
  answer: "workspaceRemoval.restore",
  trials: [
    {
      words: "tent-{unique}",
      after: [
        "workspace create --name Tent --slug tent-{unique} --parent {workspace}",
        "workspace delete tent-{unique} --force",
      ],
    },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const name = input.arguments.id;
    const client = await context.clientWithoutWorkspace();
    const items = await everyWorkspace(client, { deleted: true, signal });
    const id = canonicalUuid(name);
    const isKnown = id === undefined || items.some((item) => item.id === id);
    const tenantId = isKnown ? workspaceIn(items, name, "Deleted workspace").id : id;
    const restored = await client.workspaceRemoval.restore({ params: { tenantId }, signal });
    await output.data(restored, () => shown`Restored ${restored.slug ?? tenantId}`);
  },
});

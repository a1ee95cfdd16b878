import { shown } from "#cli/shown.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../command.ts";
import { everyWorkspace, workspaceIn } from "./find.ts";

export const workspaceRestoreCommand = command({
  path: "workspace restore",
  summary: "Restore a deleted workspace before its deadline",
  arguments: [{ name: "id", description: "ID or slug; `svc workspace list --deleted` lists them" }],
  options: {},
  routes: ["GET /v4/identity/tenants", "POST /v4/platform/tenants/{tenantId}/restore"],
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

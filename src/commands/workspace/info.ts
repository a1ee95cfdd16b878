import { command } from "../command.ts";
import { findWorkspace } from "./find.ts";

export const workspaceInfoCommand = command({
  path: "workspace info",
  summary: "Show one of your workspaces",
  arguments: [{ name: "id", description: "ID or slug" }],
  options: {},
  routes: ["GET /v4/identity/tenants"],
  async run(input, context) {
    const found = await findWorkspace(context, input.arguments.id);
    await context.output.data(found, () =>
      context.output.fields([
        ["id", found.id],
        ["slug", found.slug],
        ["name", found.displayName],
        ["parent", found.parentId ?? undefined],
        ["role", found.role],
        ["home region", found.homeRegion],
        ["usecase", found.usecase],
        ["domain", found.domain ?? undefined],
        ["created_at", found.created_at],
      ]),
    );
  },
});

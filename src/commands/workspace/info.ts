import { command } from "../kit/command.ts";
import { findWorkspace } from "../kit/workspaces/find.ts";

export default command({
  path: "workspace info",
  summary: "Show one of your workspaces",
  arguments: [{ name: "id", description: "ID or slug" }],
  options: {},
  calls: ["identity.tenants"],
  answer: ({ z }) => z.looseObject({ id: z.string(), slug: z.string() }),
  trials: ["{slug}"],
  async run(input, context) {
    const workspace = await findWorkspace(context, input.arguments.id);
    await context.output.data(workspace, () =>
      context.output.fields([
        ["id", workspace.id],
        ["slug", workspace.slug],
        ["name", workspace.displayName],
        ["parent", workspace.parentId ?? undefined],
        ["role", workspace.role],
        ["home region", workspace.homeRegion],
        ["time zone", workspace.timeZone ?? "UTC"],
        ["usecase", workspace.usecase],
        ["domain", workspace.domain ?? undefined],
        ["created_at", workspace.created_at],
      ]),
    );
  },
});

import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user leave",
  summary: "Leave a workspace",
  description:
    "Only another invitation brings you back. The last tenant-admin stays. API keys that you made " +
    "keep working; `svc key list` marks them for the admins.",
  arguments: [],
  options: { workspace: workspaceOption },
  calls: ["members.leave"],
  answer: "members.leave",
  trials: [
    { words: "--force", at: ["other"] },
    { words: "--workspace {workspace} --force", at: ["stub"] },
  ],
  async confirms({ options }, context) {
    const named = await nameOf(options.workspace, context);
    return named === undefined ? "Leave the workspace?" : `Leave the workspace ${named}?`;
  },
  async run(input, context) {
    const { output, signal } = context;
    const { workspace } = input.options;
    const named = await nameOf(workspace, context);
    const client = await context.client({ workspace });
    const receipt = await client.members.leave({ signal });
    await output.data(receipt, () => shown`You left ${named ?? "the workspace"}`);
  },
});

async function nameOf(
  workspace: string | undefined,
  { settings }: CommandContext,
): Promise<string | undefined> {
  const selected = (await settings()).workspace?.value;
  if (workspace !== undefined || selected === undefined) return workspace;
  return "slug" in selected ? selected.slug : selected.id;
}

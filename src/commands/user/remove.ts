import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { findMember, memberArgument } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user remove",
  summary: "Remove a member from a workspace",
  description: "The member has no access from the next request on. The last tenant-admin stays.",
  arguments: [memberArgument],
  options: { workspace: workspaceOption },
  calls: ["members.byEmail", "members.remove"],
  answer: "members.remove",
  examples: ["svc user remove p.sharma@northwind.example --force"],
  trials: [
    { words: "{member} --force", at: ["other", "stub"] },
    { words: "ada@example.org --force", at: ["other", "stub"] },
  ],
  confirms: ({ arguments: { member } }) => `Remove ${member}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const { memberId } = await findMember(context, client, name);
    const receipt = await client.members.remove({ params: { memberId }, signal });
    await output.data(receipt, () => shown`Removed ${name}`);
  },
});

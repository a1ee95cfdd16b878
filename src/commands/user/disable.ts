import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { everywhereOption, findMember, memberArgument, oidOf } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user disable",
  summary: "Take a member's access away, and keep the membership",
  description:
    "Counts from the next request on, also for live tokens. With --everywhere the account has no " +
    "access in any workspace, and its tokens and sessions end.",
  arguments: [memberArgument],
  options: { workspace: workspaceOption, everywhere: everywhereOption },
  calls: ["members.byEmail", "members.disable", "members.disableUser"],
  answer: ["members.disable", "members.disableUser"],
  examples: ["svc user disable v.ward@northwind.example --force"],
  trials: [
    { words: "{member} --force", at: ["other", "stub"] },
    { words: "{member} --everywhere --force", at: ["other", "stub"] },
    { words: "ada@example.org --force", at: ["stub"] },
  ],
  confirms: ({ arguments: { member }, options: { everywhere } }) =>
    `Disable ${member}${everywhere ? " in every workspace" : ""}?`,
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const { everywhere, workspace } = input.options;
    const where = everywhere ? " in every workspace" : "";
    const client = await context.client({ workspace });
    const receipt = everywhere
      ? await client.members.disableUser({
          params: { oid: await oidOf(context, client, name) },
          signal,
        })
      : await client.members.disable({
          params: { memberId: (await findMember(context, client, name)).memberId },
          signal,
        });
    await output.data(receipt, () => shown`Disabled ${name}${where}`);
  },
});

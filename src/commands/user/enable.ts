import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { everywhereOption, findMember, memberArgument, oidOf } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user enable",
  summary: "Give a disabled member access again",
  arguments: [memberArgument],
  options: { workspace: workspaceOption, everywhere: everywhereOption },
  calls: ["members.byEmail", "members.enable", "members.enableUser"],
  answer: ["members.enable", "members.enableUser"],
  trials: [
    { words: "{member}", at: ["other", "stub"] },
    { words: "{member} --everywhere", at: ["stub"] },
  ],
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const { everywhere, workspace } = input.options;
    const client = await context.client({ workspace });
    const receipt = everywhere
      ? await client.members.enableUser({
          params: { oid: await oidOf(context, client, name) },
          signal,
        })
      : await client.members.enable({
          params: { memberId: (await findMember(context, client, name)).memberId },
          signal,
        });
    await output.data(receipt, () => shown`Enabled ${name}`);
  },
});

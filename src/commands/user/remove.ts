import { shown } from "#cli/shown.ts";
import { command, dryRunOption } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { countedKeys, keysOption, keyWords, madeKeys, noteKeys } from "./made-keys.ts";
import { findMember, memberArgument } from "./members.ts";

export default command({
  path: "user remove",
  summary: "Remove a member from a workspace",
  description:
    "The member has no access from the next request on. The last tenant-admin stays. API keys " +
    "that the member made are listed before the question, and end too; with --keys keep they " +
    "keep their access.",
  arguments: [memberArgument],
  options: {
    keys: keysOption("the member"),
    "dry-run": dryRunOption,
    workspace: workspaceOption,
  },
  calls: ["members.byEmail", "members.list", "keys.list", "members.remove"],
  answer: ({ z, reply }) =>
    z.union([
      reply("members.remove"),
      z.looseObject({ dryRun: z.literal(true), memberId: z.string(), keys: z.array(z.unknown()) }),
    ]),
  examples: [
    "svc user remove p.sharma@northwind.example --dry-run",
    "svc user remove p.sharma@northwind.example --force",
  ],
  trials: [
    { words: "{member} --force", at: ["other", "stub"], isAddition: true },
    { words: "ada@example.org --force", at: ["other", "stub"], isAddition: true },
    { words: "{member} --dry-run", at: ["other", "stub"] },
  ],
  async confirms({ arguments: { member }, options }, context) {
    if (options["dry-run"]) return undefined;
    const client = await context.client({ workspace: options.workspace });
    const keys = await madeKeys(context, client, member);
    if (keys.length === 0) return `Remove ${member}?`;
    return `Remove ${member}, and ${options.keys} ${countedKeys(keys)}?`;
  },
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const { keys, workspace } = input.options;
    const client = await context.client({ workspace });
    const { memberId } = await findMember(context, client, name);
    if (input.options["dry-run"]) {
      const made = await madeKeys(context, client, name);
      const plan = { dryRun: true, memberId, keys: made };
      await output.data(plan, () => shown`Would remove ${name}`);
      const words = `Would ${keys} the API keys that ${name} made: ${keyWords(made)}`;
      if (made.length > 0) await output.note(shown`${words}`);
      return;
    }
    // Another deployment may refuse a query that it does not know.
    const query = input.given.has("keys") ? { keys } : {};
    const receipt = await client.members.remove({ params: { memberId }, query, signal });
    await output.data(receipt, () => shown`Removed ${name}`);
    await noteKeys(context, name, receipt.keys);
  },
});

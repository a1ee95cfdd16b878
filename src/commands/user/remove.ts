import { shown } from "#cli/shown.ts";
import { command, dryRunOption } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { countedKeys, keysOption, keyWords, madeKeys, noteKeys } from "./made-keys.ts";
import { endpointPlan, endpointQuestion, endpointsMadeBy } from "./made-webhooks.ts";
import { findMember, memberArgument, oidOf } from "./members.ts";

export default command({
  path: "user remove",
  summary: "Remove a member from a workspace",
  description:
    "The member has no access from the next request on. The last tenant-admin stays. API keys " +
    "and webhook endpoints that the member made are listed before the question, and end too; " +
    "with --keys keep they stay.",
  arguments: [memberArgument],
  options: {
    keys: keysOption("the member"),
    "dry-run": dryRunOption,
    workspace: workspaceOption,
  },
  calls: ["members.byEmail", "members.list", "keys.list", "webhooks.list", "members.remove"],
  answer: ({ z, reply }) =>
    z.union([
      reply("members.remove"),
      z.looseObject({
        dryRun: z.literal(true),
        memberId: z.string(),
        keys: z.array(z.unknown()),
        webhooks: z.array(z.unknown()),
      }),
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
    const oid = () => oidOf(context, client, member, { isMember: true });
    const endpoints = await endpointsMadeBy(context, client, oid);
    const theirs = keys.length === 0 ? "" : `, and ${options.keys} ${countedKeys(keys)}`;
    return `Remove ${member}${theirs}${endpointQuestion(endpoints, options.keys)}?`;
  },
  async run(input, context) {
    const { output, signal } = context;
    const { member: name } = input.arguments;
    const { keys, workspace } = input.options;
    const client = await context.client({ workspace });
    const { memberId } = await findMember(context, client, name);
    if (input.options["dry-run"]) {
      const made = await madeKeys(context, client, name);
      const oid = () => oidOf(context, client, name, { isMember: true });
      const webhooks = await endpointsMadeBy(context, client, oid);
      const plan = { dryRun: true, memberId, keys: made, webhooks };
      await output.data(plan, () => shown`Would remove ${name}`);
      const words = `Would ${keys} the API keys that ${name} made: ${keyWords(made)}`;
      if (made.length > 0) await output.note(shown`${words}`);
      if (webhooks.length > 0) await output.note(endpointPlan(name, webhooks, keys));
      return;
    }
    // Another deployment may refuse a query that it does not know.
    const query = input.given.has("keys") ? { keys } : {};
    const receipt = await client.members.remove({ params: { memberId }, query, signal });
    await output.data(receipt, () => shown`Removed ${name}`);
    await noteKeys(context, name, receipt.keys);
  },
});

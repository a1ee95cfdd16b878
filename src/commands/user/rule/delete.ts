import { shown } from "#cli/shown.ts";
import { catalogError } from "#contract/errors.ts";
import { usageError } from "#cli/errors.ts";
import { noteKeys } from "../made-keys.ts";
import { command } from "../../kit/command.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

/** More rules than a workspace has at the embedded platform. */
const listLimit = 500;

export default command({
  path: "user rule delete",
  summary: "Delete the rule of a group, with the memberships that it has granted",
  arguments: [{ name: "rule", description: "ID of the rule, or the value of its claim" }],
  options: { workspace: workspaceOption },
  calls: ["groupRules.list", "groupRules.delete"],
  answer: "groupRules.delete",
  trials: [
    {
      words: "gone{unique} --force",
      after: ["user rule set gone{unique} --role tenant-staff --issuer https://login.example.org"],
    },
    { words: "{id} --force", at: ["stub"] },
  ],
  description: "API keys that these members made end too; the answer names them.",
  confirms: ({ arguments: { rule } }) =>
    `Delete the rule ${rule} with its memberships, and the API keys that these members made?`,
  async run(input, context) {
    const { output, signal } = context;
    const { rule: name } = input.arguments;
    const client = await context.client({ workspace: input.options.workspace });
    const { items } = await client.groupRules.list({ query: { limit: listLimit }, signal });
    const byId = items.filter(({ ruleId }) => ruleId === name.toLowerCase());
    const found = byId.length > 0 ? byId : items.filter(({ value }) => value === name);
    const [rule] = found;
    if (rule === undefined) throw catalogError("E202", { resource: `Group rule "${name}"` });
    if (found.length > 1) {
      throw usageError(`${found.length} rules have the value "${name}": name the ID of one`);
    }
    const params = { ruleId: rule.ruleId };
    const receipt = await client.groupRules.delete({ params, signal });
    const count = receipt.removedMembers ?? 0;
    const ended = `${count} ${count === 1 ? "membership has" : "memberships have"} ended`;
    await output.data(receipt, () => shown`Deleted the rule of ${rule.value ?? name}; ${ended}`);
    await noteKeys(context, "its members", receipt.keys);
  },
});

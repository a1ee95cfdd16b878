import { shown } from "#cli/shown.ts";
import { textOption } from "#cli/command.ts";
import { given } from "#lib/given.ts";
import { command } from "../../kit/command.ts";
import { chosenRole, roleOptions, roleWords } from "../../kit/roles.ts";
import { noteKeys } from "../made-keys.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

export default command({
  path: "user rule set",
  summary: "Give a group of an external identity provider a role",
  description:
    "Users whose token has the value in the claim become members at their next sign-in. A rule " +
    "of the same group gets the new role, at once for its members. The highest role of several " +
    "rules counts. A membership by invitation is never changed.",
  arguments: [{ name: "value", description: "Value of the claim: the group's name or ID" }],
  options: {
    ...roleOptions,
    claim: textOption("name", "Claim with the groups (default: groups)"),
    issuer: textOption("url", "The provider (default: the one that signs users in)"),
    workspace: workspaceOption,
  },
  calls: ["groupRules.set"],
  answer: "groupRules.set",
  examples: [
    "svc user rule set planners --role tenant-staff --issuer https://login.northwind.example",
  ],
  trials: ["team{unique} --role tenant-staff --issuer https://login.example.org"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const { claim, issuer } = options;
    const body = {
      value: input.arguments.value,
      ...given({ claim, issuer }),
      ...chosenRole(options),
    };
    const client = await context.client({ workspace: options.workspace });
    const rule = await client.groupRules.set({ body, signal });
    await output.data(rule, () =>
      output.fields([
        ["rule", rule.ruleId],
        ["issuer", rule.issuer],
        ["claim", rule.claim],
        ["value", rule.value],
        ["role", roleWords(rule)],
        ["members", String(rule.memberCount ?? 0)],
      ]),
    );
    await noteKeys(context, "members by this rule", rule.keys);
    if (output.isJson || rule.applies !== false) return;
    const next = `start the platform with --auth-url ${rule.issuer ?? ""}`;
    await output.note(shown`This provider does not sign users in here: ${next}`);
  },
});

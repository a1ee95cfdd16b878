import { usageError } from "#cli/errors.ts";
import { command } from "../kit/command.ts";
import { roleDefinitionOption, roleOptions } from "../kit/roles.ts";
import { emailOf, personOf, personOptions, printInvited } from "./members.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user invite",
  summary: "Invite a person to a workspace",
  description:
    "The person becomes a member by accepting the invitation, which ends after seven days. The " +
    "address of a member changes the member's role instead. Without a mail server the link is " +
    "shown once, for you to pass on.",
  arguments: [],
  options: {
    email: { type: "string", required: true, description: "E-mail address" },
    workspace: workspaceOption,
    role: { ...roleOptions.role, default: "tenant-viewer" },
    "role-definition-id": roleDefinitionOption,
    ...personOptions,
  },
  calls: ["members.invite"],
  answer: "members.invite",
  examples: ["svc user invite --email r.new@northwind.example --role tenant-staff"],
  trials: ["--email oak{unique}@example.org --role tenant-staff"],
  async run({ options, given }, context) {
    const email = emailOf("--email", options.email);
    const definitionId = options["role-definition-id"];
    if (definitionId !== undefined && given.has("role")) {
      throw usageError("--role-definition-id cannot go with --role");
    }
    const person = personOf(options);
    const client = await context.client({ workspace: options.workspace });
    const role =
      definitionId === undefined ? { role: options.role } : { roleDefinitionId: definitionId };
    const body = { email, ...role, ...person };
    await printInvited(context, await client.members.invite({ body, signal: context.signal }));
  },
});

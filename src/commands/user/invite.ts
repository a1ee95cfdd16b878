import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { inviteConfirmed } from "#client/confirmed-invitation.ts";
import { keepsPermissions, type Role } from "#contract/access/roles.ts";
import { command } from "../kit/command.ts";
import { roleDefinitionOption, roleOptions, roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { presentMember } from "../kit/workspaces/present-member.ts";
import { emailOf } from "../kit/input/email.ts";
import { keyWords, madeKeys, noteKeys } from "./made-keys.ts";
import { personOf, personOptions, printInvited } from "./members.ts";

interface RoleInput {
  readonly options: { readonly role: Role; readonly "role-definition-id"?: string };
  readonly given: ReadonlySet<string>;
}

/** The role that the user named; undefined without one, which leaves a member as it is. */
function namedRole({ options, given: names }: RoleInput) {
  const { role, "role-definition-id": roleDefinitionId } = options;
  if (!names.has("role")) return roleDefinitionId === undefined ? undefined : { roleDefinitionId };
  if (roleDefinitionId === undefined) return { role };
  throw usageError("--role-definition-id cannot go with --role");
}

export default command({
  path: "user invite",
  summary: "Invite a person to a workspace",
  description:
    "The person becomes a member by accepting the invitation, which ends after seven days. A " +
    "member keeps the present role, unless --role names another one: a role with fewer " +
    "permissions also needs --force. Without a mail server the link is shown once, for you to " +
    "pass on.",
  arguments: [],
  options: {
    email: { type: "string", required: true, description: "E-mail address" },
    workspace: workspaceOption,
    role: {
      ...roleOptions.role,
      description: "Base role; without it a member keeps the present one",
      default: "tenant-viewer",
    },
    "role-definition-id": roleDefinitionOption,
    ...personOptions,
  },
  calls: ["members.byEmail", "keys.list", "members.invite"],
  answer: "members.invite",
  examples: ["svc user invite --email r.new@northwind.example --role tenant-staff"],
  trials: ["--email oak{unique}@example.org --role tenant-staff --force"],
  async confirms(input, context) {
    const { options } = input;
    const email = emailOf("--email", options.email);
    const role = namedRole(input);
    personOf(options);
    if (role === undefined) return undefined;
    const client = await context.client({ workspace: options.workspace });
    const member = await presentMember(context, client, email);
    if (member === undefined || keepsPermissions(member, role)) return undefined;
    const next = "role" in role ? role.role : role.roleDefinitionId;
    const keys = await madeKeys(context, client, email);
    const theirs = keys.length === 0 ? "" : `, also of the API keys ${keyWords(keys)}`;
    return `${email} is a member as ${roleWords(member)}. Change the role to ${next}${theirs}?`;
  },
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const email = emailOf("--email", options.email);
    const role = namedRole(input);
    const person = personOf(options);
    const client = await context.client({ workspace: options.workspace });
    const present = await presentMember(context, client, email);
    if (present !== undefined && role === undefined) {
      await printInvited(context, { member: present });
      const words = roleWords(present);
      await output.note(shown`${email} is a member already and stays ${words}; --role changes it`);
      return;
    }
    const body = { email, ...(role ?? { role: options.role }), ...person };
    const invited =
      present === undefined
        ? await client.members.invite({ body, signal })
        : await inviteConfirmed(client, { body, signal });
    await printInvited(context, invited);
    if (present === undefined) return;
    const change = shown`from ${roleWords(present)} to ${roleWords(invited.member)}`;
    await output.note(shown`${email} was a member already; the role changed ${change}`);
    await noteKeys(context, email, invited.member.keys);
  },
});

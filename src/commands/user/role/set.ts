import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { inviteConfirmed } from "#client/confirmed-invitation.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../../kit/command.ts";
import { chosenRole, roleOptions, roleWords } from "../../kit/roles.ts";
import { emailOf } from "../../kit/input/email.ts";
import { noteKeys } from "../made-keys.ts";
import { personOf, personOptions, printInvited } from "../members.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

const personFlags = ["first-name", "last-name", "message", "redirect-uri"] as const;

export default command({
  path: "user role set",
  summary: "Change a member's role",
  description:
    "With --email a person who is no member yet is invited with the role. The last tenant-admin " +
    "of a workspace keeps it. A role with fewer permissions lowers the API keys that the member " +
    "made too, and the command names them.",
  arguments: [],
  options: {
    email: { ...textOption("address", "The member's address"), excludes: ["member-id"] },
    "member-id": { ...textOption("id", "The member's ID"), excludes: [...personFlags] },
    workspace: workspaceOption,
    ...roleOptions,
    ...personOptions,
  },
  calls: ["members.invite", "members.setRole"],
  answer: ["members.setRole", "members.invite"],
  examples: ["svc user role set --email m.okafor@northwind.example --role tenant-builder"],
  trials: [
    "--email elm{unique}@example.org --role tenant-viewer",
    { words: "--member-id {member} --role tenant-staff", at: ["other", "stub"] },
  ],
  async run({ options }, context) {
    const { output, signal } = context;
    const memberId = options["member-id"];
    const role = chosenRole(options);
    if (memberId === undefined) {
      if (options.email === undefined) throw missingField("--email", "Or name --member-id");
      const body = { email: emailOf("--email", options.email), ...role, ...personOf(options) };
      const client = await context.client({ workspace: options.workspace });
      const invited = await inviteConfirmed(client, { body, signal });
      await printInvited(context, invited);
      await noteKeys(context, body.email, invited.member.keys);
      return;
    }
    const id = canonicalUuid(memberId) ?? memberId;
    const client = await context.client({ workspace: options.workspace });
    const member = await client.members.setRole({ params: { memberId: id }, body: role, signal });
    await output.data(member, () =>
      output.fields([
        ["member", member.memberId],
        ["e-mail", member.email],
        ["role", roleWords(member)],
      ]),
    );
    await noteKeys(context, member.email ?? id, member.keys);
  },
});

import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { command } from "../../command.ts";
import {
  emailOf,
  personOf,
  personOptions,
  printInvited,
  roleValues,
  roleWords,
  workspaceOption,
} from "../members.ts";

const personFlags = ["first-name", "last-name", "message", "redirect-uri"] as const;

export const userRoleSetCommand = command({
  path: "user role set",
  summary: "Change a member's role",
  description:
    "With --email a person who is no member yet is invited with the role. The last tenant-admin " +
    "of a workspace keeps it.",
  arguments: [],
  options: {
    email: { ...textOption("address", "The member's address"), excludes: ["member-id"] },
    "member-id": { ...textOption("id", "The member's ID"), excludes: [...personFlags] },
    workspace: workspaceOption,
    role: { ...roleValues, description: "Base role" },
    "role-definition-id": {
      ...textOption("id", "A role of the workspace instead; see `svc user roles`"),
      excludes: ["role"],
    },
    ...personOptions,
  },
  routes: [
    "POST /v4/platform/tenants/{tenantId}/members/invite",
    "PATCH /v4/platform/tenants/{tenantId}/members/{memberId}/roles",
  ],
  examples: ["svc user role set --email m.okafor@northwind.example --role tenant-builder"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const memberId = options["member-id"];
    const definitionId = options["role-definition-id"];
    if (options.role === undefined && definitionId === undefined) {
      throw missingField("--role", "`svc user roles` lists them");
    }
    const role = {
      ...(options.role === undefined ? {} : { role: options.role }),
      ...(definitionId === undefined ? {} : { roleDefinitionId: definitionId }),
    };
    if (memberId === undefined) {
      if (options.email === undefined) throw missingField("--email", "Or name --member-id");
      const body = { email: emailOf("--email", options.email), ...role, ...personOf(options) };
      const client = await context.client({ workspace: options.workspace });
      await printInvited(context, await client.members.invite({ body, signal }));
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
  },
});

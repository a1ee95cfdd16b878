import { command } from "../command.ts";
import { pageOptions, pageQuery, printPage } from "../output/pages.ts";
import { roleWords, workspaceOption } from "./members.ts";

export const userInvitationsCommand = command({
  path: "user invitations",
  summary: "List pending invitations",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
    ...pageOptions("Invitations"),
  },
  routes: ["GET /v4/platform/tenants/{tenantId}/invitations"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.members.invitations({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No invitations are pending",
      columns: [
        { heading: "e-mail", value: ({ email }) => email, whole: true },
        { heading: "role", value: (item) => roleWords(item), whole: true },
        { heading: "delivery", value: ({ delivery }) => delivery, optional: true },
        { heading: "expires", value: ({ expiresAt }) => expiresAt?.slice(0, 10) },
        { heading: "id", value: ({ invitationId }) => invitationId, whole: true },
      ],
    });
  },
});

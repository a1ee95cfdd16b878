import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user invitations",
  summary: "List pending invitations",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
  },
  pages: { of: "Invitations" },
  calls: ["members.invitations"],
  answer: "members.invitations",
  async run({ options }, context) {
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

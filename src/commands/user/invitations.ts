import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { cursorOption, limitOption, nextPage, pageOption } from "../resources/records/options.ts";
import { roleWords, workspaceOption } from "./members.ts";

export const userInvitationsCommand = command({
  path: "user invitations",
  summary: "List pending invitations",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
    page: pageOption("cursor"),
    limit: limitOption("Invitations per page"),
    cursor: cursorOption,
  },
  routes: ["GET /v4/platform/tenants/{tenantId}/invitations"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const { cursor, limit, page } = options;
    const place = cursor === undefined ? { page } : { cursor };
    const list = await client.members.invitations({ query: { limit, ...place }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "e-mail", value: ({ email }) => email, whole: true },
        { heading: "role", value: (item) => roleWords(item), whole: true },
        { heading: "delivery", value: ({ delivery }) => delivery, optional: true },
        { heading: "expires", value: ({ expiresAt }) => expiresAt?.slice(0, 10) },
        { heading: "id", value: ({ invitationId }) => invitationId, whole: true },
      ]),
    );
    if (output.isJson) return;
    if (list.items.length === 0) await output.note(shown`No invitations are pending`);
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
  },
});

import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { cursorOption, limitOption, nextPage, pageOption } from "../resources/records/options.ts";
import { roleWords, workspaceOption } from "./members.ts";

export const userRulesCommand = command({
  path: "user rules",
  summary: "List the roles that groups of an external identity provider have",
  description:
    "A rule makes the users of a group members at their next sign-in, and ends those memberships " +
    "once the group is gone. Memberships by invitation stay as they are.",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
    page: pageOption("cursor"),
    limit: limitOption("Rules per page"),
    cursor: cursorOption,
  },
  routes: ["GET /v4/platform/tenants/{tenantId}/group-rules"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const { cursor, limit, page } = options;
    const place = cursor === undefined ? { page } : { cursor };
    const list = await client.groupRules.list({ query: { limit, ...place }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "claim", value: ({ claim }) => claim },
        { heading: "value", value: ({ value }) => value, whole: true },
        { heading: "role", value: (item) => roleWords(item), whole: true },
        { heading: "members", value: ({ memberCount }) => memberCount, align: "right" },
        { heading: "applies", value: ({ applies }) => (applies === false ? "no" : "yes") },
        { heading: "issuer", value: ({ issuer }) => issuer, optional: true },
        { heading: "id", value: ({ ruleId }) => ruleId, whole: true },
      ]),
    );
    if (output.isJson) return;
    if (list.items.length === 0) await output.note(shown`No group has a role in this workspace`);
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
  },
});

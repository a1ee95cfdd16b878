import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user rules",
  summary: "List the roles that groups of an external identity provider have",
  description:
    "A rule makes the users of a group members at their next sign-in, and ends those memberships " +
    "once the group is gone. Memberships by invitation stay as they are.",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
  },
  pages: { of: "Rules" },
  calls: ["groupRules.list"],
  answer: "groupRules.list",
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.groupRules.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No group has a role in this workspace",
      columns: [
        { heading: "claim", value: ({ claim }) => claim },
        { heading: "value", value: ({ value }) => value, whole: true },
        { heading: "role", value: (item) => roleWords(item), whole: true },
        { heading: "members", value: ({ memberCount }) => memberCount, align: "right" },
        { heading: "applies", value: ({ applies }) => (applies === false ? "no" : "yes") },
        { heading: "issuer", value: ({ issuer }) => issuer, optional: true },
        { heading: "id", value: ({ ruleId }) => ruleId, whole: true },
      ],
    });
  },
});

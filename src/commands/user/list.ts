import { textOption } from "#cli/command.ts";
import { command } from "../kit/command.ts";
import { noteRest, pageQuery } from "../kit/output/pages.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../kit/output/rows.ts";
import { placeWords } from "../kit/output/pages.ts";
import type { Member } from "#contract/access/members.ts";
import { given } from "#lib/given.ts";
import { roleWords } from "../kit/roles.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

const fields = fieldsNamed<Member>(
  "memberId",
  "oid",
  "email",
  "displayName",
  "firstName",
  "lastName",
  "role",
  "roleName",
  "roleDefinitionId",
  "status",
  "ruleId",
  "created_at",
);

export default command({
  path: "user list",
  summary: "List the members of a workspace",
  arguments: [],
  formats: "rows",
  options: {
    workspace: workspaceOption,
    search: textOption("text", "Part of a name or an address"),
    columns: columnsOption,
  },
  pages: { of: "Members", limit: 25, sort: "email", count: "Also count all members" },
  calls: ["members.list"],
  answer: "members.list",
  examples: ["svc user list --search okafor", "svc user list --sort role,email --format json"],
  trials: ["", "--search ada --page 1 --limit 5"],
  async run({ options }, context) {
    const { output, signal } = context;
    const chosen = chosenFields(options.columns, fields);
    const client = await context.client({ workspace: options.workspace });
    const { sort, search } = options;
    const list = await client.members.list({
      query: {
        ...pageQuery(options),
        sort,
        ...given({ search }),
        ...(options.count ? { count: true } : {}),
      },
      signal,
    });
    await printRows(output, {
      rows: list.items,
      fields: chosen,
      csvFields: fields,
      none: `No members${search === undefined ? "" : " match"}${placeWords(options)}`,
      answer: (items) => ({ ...list, items }),
      columns: [
        { heading: "e-mail", value: ({ email, memberId }) => email ?? memberId, whole: true },
        { heading: "name", value: ({ displayName }) => displayName, optional: true },
        { heading: "role", value: (item) => roleWords(item), whole: true },
        { heading: "status", value: ({ status }) => status, optional: true },
        { heading: "id", value: ({ memberId }) => memberId, whole: true },
      ],
    });
    await noteRest(output, list, options, "member");
  },
});

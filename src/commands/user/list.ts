import { textOption } from "#cli/command.ts";
import { command } from "../command.ts";
import { noteRest, pageQuery } from "../output/pages.ts";
import { chosenFields, columnsOption, fieldsNamed, printRows } from "../output/rows.ts";
import { cursorOption, limitOption, pageOption, placeWords } from "../resources/records/options.ts";
import type { Member } from "#contract/members.ts";
import { roleWords, workspaceOption } from "./members.ts";

const defaultLimit = 25;

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

export const userListCommand = command({
  path: "user list",
  summary: "List the members of a workspace",
  arguments: [],
  formats: "rows",
  options: {
    workspace: workspaceOption,
    search: textOption("text", "Part of a name or an address"),
    page: pageOption("cursor"),
    limit: limitOption("Members per page", undefined, defaultLimit),
    sort: {
      type: "string",
      default: "email",
      placeholder: "fields",
      description: "Field names, separated by commas, `-` first for descending",
    },
    cursor: cursorOption,
    count: { type: "boolean", description: "Also count all members" },
    columns: columnsOption,
  },
  routes: ["GET /v4/platform/tenants/{tenantId}/members"],
  examples: ["svc user list --search okafor", "svc user list --sort role,email --format json"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const chosen = chosenFields(options.columns, fields);
    const client = await context.client({ workspace: options.workspace });
    const { sort, search } = options;
    const list = await client.members.list({
      query: {
        ...pageQuery(options),
        sort,
        ...(search === undefined ? {} : { search }),
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

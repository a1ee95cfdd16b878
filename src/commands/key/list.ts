import { shown } from "#cli/shown.ts";
import { command } from "../command.ts";
import { cursorOption, limitOption, nextPage, pageOption } from "../resources/records/options.ts";
import { workspaceOption } from "../user/members.ts";
import { keyRole } from "./keys.ts";

export const keyListCommand = command({
  path: "key list",
  summary: "List the API keys of service accounts",
  description:
    "Every key with access to the workspace, the newest first, also those that have ended in the " +
    "last 90 days. The last use is exact to a minute.",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
    page: pageOption("cursor"),
    limit: limitOption("Keys per page"),
    cursor: cursorOption,
  },
  routes: ["GET /v4/platform/tenants/{tenantId}/keys"],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const { cursor, limit, page } = options;
    const place = cursor === undefined ? { page } : { cursor };
    const list = await client.keys.list({ query: { limit, ...place }, signal });
    await output.data(list, () =>
      output.table(list.items, [
        { heading: "name", value: ({ name }) => name, whole: true },
        { heading: "role", value: (item) => keyRole(item), whole: true },
        { heading: "status", value: ({ status }) => status },
        { heading: "last used", value: ({ lastUsedAt }) => lastUsedAt ?? "never" },
        { heading: "expires", value: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? "never" },
        { heading: "id", value: ({ keyId }) => keyId, whole: true },
      ]),
    );
    if (output.isJson) return;
    if (list.items.length === 0) await output.note(shown`No keys have access to this workspace`);
    if (list.items.length === 0 || list.hasNextPage !== true) return;
    await output.note(output.tone("dim", `More: ${nextPage(list, options)}`));
  },
});

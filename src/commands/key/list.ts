import type { ServiceKey } from "#contract/access/keys.ts";
import { command } from "../kit/command.ts";
import { pageQuery, printPage } from "../kit/output/pages.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { roleWords } from "../kit/roles.ts";

function statusOf({ status, makerRemoved }: ServiceKey): string | undefined {
  return makerRemoved === true ? `${status ?? "unknown"}, maker removed` : status;
}

export default command({
  path: "key list",
  summary: "List the API keys of service accounts",
  description:
    "Every key with access to the workspace, the newest first, also those that have ended in the " +
    "last 90 days. The last use is exact to a minute. `maker removed` marks a key whose maker is " +
    "no longer a member of the workspace that owns the key.",
  rows: ["items"],
  arguments: [],
  options: {
    workspace: workspaceOption,
  },
  pages: { of: "Keys" },
  calls: ["keys.list"],
  answer: "keys.list",
  async run({ options }, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: options.workspace });
    const list = await client.keys.list({ query: pageQuery(options), signal });
    await printPage(output, list, {
      options,
      none: "No keys have access to this workspace",
      columns: [
        { heading: "name", value: ({ name }) => name, whole: true },
        { heading: "role", value: (item) => roleWords(item), whole: true },
        { heading: "status", value: statusOf },
        { heading: "last used", value: ({ lastUsedAt }) => lastUsedAt ?? "never" },
        { heading: "expires", value: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? "never" },
        { heading: "id", value: ({ keyId }) => keyId, whole: true },
      ],
    });
  },
});

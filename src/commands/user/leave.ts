import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { countedKeys, keysMadeBy, keysOption, noteKeys } from "./made-keys.ts";
import { endpointQuestion, endpointsMadeBy } from "./made-webhooks.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";

export default command({
  path: "user leave",
  summary: "Leave a workspace",
  description:
    "Only another invitation brings you back. The last tenant-admin stays. API keys and webhook " +
    "endpoints that you made end too, and are listed before the question where you may see " +
    "them; with --keys keep they stay.",
  arguments: [],
  options: { keys: keysOption("you"), workspace: workspaceOption },
  calls: ["identity.me", "keys.list", "webhooks.list", "members.leave"],
  answer: "members.leave",
  trials: [
    { words: "--force", at: ["other"] },
    { words: "--workspace {workspace} --force", at: ["stub"] },
  ],
  async confirms({ options }, context) {
    const named = await nameOf(options.workspace, context);
    const client = await context.client({ workspace: options.workspace });
    const { signal } = context;
    const oid = async () => (await client.identity.me({ signal })).oid;
    const keys = await keysMadeBy(context, client, oid);
    const endpoints = await endpointsMadeBy(context, client, oid);
    const place = named === undefined ? "the workspace" : `the workspace ${named}`;
    const theirs = keys.length === 0 ? "" : `, and ${options.keys} ${countedKeys(keys)}`;
    return `Leave ${place}${theirs}${endpointQuestion(endpoints, options.keys)}?`;
  },
  async run(input, context) {
    const { output, signal } = context;
    const { keys, workspace } = input.options;
    const named = await nameOf(workspace, context);
    const client = await context.client({ workspace });
    // Another deployment may refuse a query that it does not know.
    const query = input.given.has("keys") ? { keys } : {};
    const receipt = await client.members.leave({ query, signal });
    await output.data(receipt, () => shown`You left ${named ?? "the workspace"}`);
    await noteKeys(context, "you", receipt.keys);
  },
});

async function nameOf(
  workspace: string | undefined,
  { settings }: CommandContext,
): Promise<string | undefined> {
  const selected = (await settings()).workspace?.value;
  if (workspace !== undefined || selected === undefined) return workspace;
  return "slug" in selected ? selected.slug : selected.id;
}

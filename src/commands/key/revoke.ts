import { shown } from "#cli/shown.ts";
import { command } from "../kit/command.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { keyArgument, keyIdOf } from "./keys.ts";

export default command({
  path: "key revoke",
  summary: "Revoke an API key at once",
  description: "A key that another workspace owns loses its access to this workspace only.",
  arguments: [keyArgument],
  options: { workspace: workspaceOption },
  calls: ["keys.revoke"],
  answer: "keys.revoke",
  trials: ["{key} --force", { words: "key:17 --force", at: ["other"] }],
  confirms: ({ arguments: { key } }) => `Revoke the key ${keyIdOf(key)}?`,
  async run(input, context) {
    const { output, signal } = context;
    const keyId = keyIdOf(input.arguments.key);
    const client = await context.client({ workspace: input.options.workspace });
    const receipt = await client.keys.revoke({ params: { keyId }, signal });
    await output.data(receipt, () =>
      receipt.status === "removed"
        ? shown`The key has no access to this workspace; another workspace owns it`
        : shown`Revoked the key ${keyId}`,
    );
  },
});

import { shown } from "#cli/shown.ts";
import { missingField } from "#cli/errors.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { conversationArgument } from "./conversation.ts";

export default command({
  path: "chat rename",
  summary: "Change the title of a conversation",
  arguments: [conversationArgument, { name: "title", description: "At most 200 characters" }],
  options: { "tenant-id": tenantOption },
  calls: ["chat.rename"],
  answer: "chat.rename",
  trials: [{ words: "conv:17 Heights", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const { title, "conversation-id": id } = input.arguments;
    if (title.trim() === "") throw missingField("<title>");
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const renamed = await client.useChat().rename(id, title, { signal });
    await output.data(renamed, () => shown`Renamed the conversation to ${renamed.title ?? title}`);
  },
});

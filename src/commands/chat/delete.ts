import { shown } from "#cli/shown.ts";
import { counted } from "#lib/text/counted.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { conversationArgument } from "./conversation.ts";

export default command({
  path: "chat delete",
  summary: "Delete a conversation with its messages",
  arguments: [conversationArgument],
  options: { "tenant-id": tenantOption },
  calls: ["chat.deleteConversation"],
  answer: "chat.deleteConversation",
  trials: [{ words: "conv:17 --force", at: ["other", "stub"] }],
  confirms: ({ arguments: words }) => `Delete the conversation ${words["conversation-id"]}?`,
  async run(input, context) {
    const { output, signal } = context;
    const id = input.arguments["conversation-id"];
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const receipt = await client.useChat().deleteConversation(id, { signal });
    await output.data(receipt, () => {
      const { messages } = receipt;
      const count = messages === undefined ? "" : ` with ${counted(messages, "message")}`;
      return shown`Deleted the conversation ${id}${count}`;
    });
  },
});

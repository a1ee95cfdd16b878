import { shown } from "#cli/shown.ts";
import { counted } from "#lib/counted.ts";
import { command, tenantOption } from "../command.ts";
import { confirm } from "../input/confirm.ts";
import { conversationArgument } from "./conversation.ts";

export const chatDeleteCommand = command({
  path: "chat delete",
  summary: "Delete a conversation with its messages",
  arguments: [conversationArgument],
  options: {
    "tenant-id": tenantOption,
    force: { type: "boolean", description: "Do not ask" },
  },
  routes: ["DELETE /v4/ai/chat/{tenantId}/conversations/{conversationId}"],
  async run(input, context) {
    const { output, signal } = context;
    const id = input.arguments["conversation-id"];
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const chat = client.useChat();
    if (!input.options.force) await confirm(context, `Delete the conversation ${id}?`, "--force");
    const receipt = await chat.deleteConversation(id, { signal });
    await output.data(receipt, () => {
      const { messages } = receipt;
      const count = messages === undefined ? "" : ` with ${counted(messages, "message")}`;
      return shown`Deleted the conversation ${id}${count}`;
    });
  },
});

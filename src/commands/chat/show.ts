import { shown, type Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { ChatMessage } from "#contract/documents/chat.ts";
import { command } from "../kit/command.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import { citationLines, conversationArgument } from "./conversation.ts";

export default command({
  path: "chat show",
  summary: "Show a conversation with its sources",
  arguments: [conversationArgument],
  options: { "tenant-id": tenantOption },
  calls: ["chat.conversation"],
  answer: "chat.conversation",
  trials: [{ words: "conv:17", at: ["other", "stub"] }],
  async run(input, context) {
    const { output, signal } = context;
    const client = await context.client({ workspace: input.options["tenant-id"] });
    const id = input.arguments["conversation-id"];
    const conversation = await client.useChat().conversation(id, { signal });
    await output.data(conversation, () =>
      conversation.messages.flatMap((message) => messageLines(output, message)),
    );
    if (!output.isJson && conversation.messages.length === 0) await output.note(shown`No messages`);
  },
});

function messageLines(output: Output, message: ChatMessage): Shown[] {
  const { role, content, citations = [], status } = message;
  const isCut = status !== undefined && status !== "complete";
  const name = role === "user" ? "you" : role;
  return [
    output.tone("strong", isCut ? `${name} (incomplete)` : name),
    output.paragraphs(content),
    ...(citations.length === 0 ? [] : [shown``, ...citationLines(output, citations)]),
    shown``,
  ];
}

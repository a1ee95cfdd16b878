import { command } from "../command.ts";
import { citationLines } from "./citations.ts";
import { chatMessage, chatOptions, chatParams } from "./options.ts";

/** `svc chat send <message>`: one reply (spec 4.7). */
export const chatSendCommand = command({
  path: "chat send",
  summary: "Ask a workflow and print its reply with citations",
  arguments: [{ name: "message", description: "What to ask" }],
  options: chatOptions,
  routes: ["POST /v4/ai/chat/{tenantId}/{workflowId}/{stage}"],
  examples: [`svc chat send "When is the decision due?" --workflow planning-assistant`],
  async run(input, context) {
    const { options } = input;
    const { output, signal } = context;
    const message = chatMessage(input.arguments.message);
    const params = await chatParams(context, options);
    const client = await context.client({ workspace: options["tenant-id"] });
    const reply = await client.useChat(options.workflow, { stage: options.stage }).send(message, {
      conversationId: options["conversation-id"],
      params,
      signal,
    });
    const citations = reply.citations ?? reply.message.citations ?? [];
    await output.data(reply, () => [
      output.paragraphs(reply.message.content),
      ...(citations.length === 0 ? [] : ["", ...citationLines(output, citations)]),
    ]);
    if (!output.isJson) {
      await output.note(output.tone("dim", `conversation ${reply.conversation_id}`));
    }
  },
});

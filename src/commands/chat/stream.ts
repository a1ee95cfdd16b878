import { exitCodes } from "#contract/errors.ts";
import { command } from "../command.ts";
import { incompleteNote, printAnswer, resumedAnswer } from "./answer.ts";
import { chatOptions, messageArgument, openChat } from "./conversation.ts";

export const chatStreamCommand = command({
  path: "chat stream",
  summary: "Ask a workflow and print its reply as it is written",
  description:
    "With --format json each event is one line of JSON and the last one is `finish`. A line that " +
    "breaks is resumed where the platform can. If the answer stays incomplete, the received part " +
    "is shown and the exit code is 1.",
  arguments: [messageArgument],
  options: chatOptions,
  examples: [`svc chat stream "What did the Housing Officer reply?" --workflow planning-assistant`],
  routes: [
    "POST /v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}",
    "GET /v4/ai/chat/{tenantId}/conversations/{conversationId}/stream",
    "POST /v4/ai/chat/{tenantId}/conversations/{conversationId}/stop",
  ],
  async run(input, context) {
    const { message } = input.arguments;
    const { output, signal } = context;
    const { chat, sendOptions } = await openChat(context, message, input.options);
    const stream = chat.stream(message, sendOptions);
    const { complete, failure } = await printAnswer(output, resumedAnswer(chat, stream, signal));
    if (!output.isJson) {
      await output.note(output.tone("dim", `conversation ${stream.conversationId}`));
    }
    if (complete) return exitCodes.done;
    await output.note(incompleteNote(failure));
    return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  },
});

import { Shown, shown } from "#cli/shown.ts";
import type { Citation } from "#contract/chat.ts";
import { exitCodes, type CatalogError } from "#contract/errors.ts";
import { command } from "../command.ts";
import { chatOptions, citationLines, messageArgument, openChat } from "./conversation.ts";

export const chatStreamCommand = command({
  path: "chat stream",
  summary: "Ask a workflow and print its reply as it is written",
  description:
    "With --format json each event is one line of JSON and the last one is `finish`. If the answer " +
    "breaks off, the received part is shown and the exit code is 1.",
  arguments: [messageArgument],
  options: chatOptions,
  examples: [`svc chat stream "What did the Housing Officer reply?" --workflow planning-assistant`],
  routes: ["POST /v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}"],
  async run(input, context) {
    const { message } = input.arguments;
    const { output, signal } = context;
    const { chat, sendOptions } = await openChat(context, message, input.options);
    const stream = chat.stream(message, sendOptions);
    const citations: Citation[] = [];
    let complete = false;
    let failure: CatalogError | undefined;
    for await (const event of stream) {
      if (output.isJson) {
        const { type } = event;
        const value =
          type === "error" ? { type, code: event.error.code, message: event.error.message } : event;
        await output.page(output.json(value, 0));
      } else if (event.type === "text") {
        await output.fragment(event.text);
      }
      if (event.type === "citation") citations.push(event.citation);
      if (event.type === "error") failure = event.error;
      if (event.type === "finish") complete = event.complete;
    }
    if (!output.isJson) {
      await output.endFragments();
      if (citations.length > 0) {
        await output.page(Shown.joined(["", ...citationLines(output, citations)], "\n"));
      }
      await output.note(output.tone("dim", `conversation ${stream.conversationId}`));
    }
    if (complete) return exitCodes.done;
    const reason = failure === undefined ? "" : `: ${failure.code} ${failure.message}`;
    await output.note(shown`The answer is incomplete${reason}`);
    return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  },
});

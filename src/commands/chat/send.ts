import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { incompleteNote } from "./answer.ts";
import {
  chatOptions,
  citationLines,
  messageArgument,
  nearestLines,
  openChat,
} from "./conversation.ts";

/** A stage may give its model five minutes. */
const timeoutMs = 330_000;

export default command({
  path: "chat send",
  summary: "Ask a workflow and print its reply with citations",
  description:
    "If the answer is incomplete, its sentences so far are shown and the exit code is 1.",
  arguments: [messageArgument],
  options: chatOptions,
  calls: ["chat.send"],
  answer: "chat.send",
  examples: [`svc chat send "When is the decision due?" --workflow planning-assistant`],
  trials: [
    "elms --workflow {workflow}",
    { words: "elms --workflow {workflow} --conversation-id {key}", at: ["other"] },
  ],
  async run(input, context) {
    const { message } = input.arguments;
    const { output } = context;
    const { chat, sendOptions } = await openChat(context, message, input.options);
    const reply = await chat.send(message, { ...sendOptions, timeoutMs });
    const citations = reply.citations ?? reply.message.citations ?? [];
    const nearest = reply.nearest ?? reply.message.nearest ?? [];
    const sources = [...citationLines(output, citations), ...nearestLines(output, nearest)];
    await output.data(reply, () => [
      output.paragraphs(reply.message.content),
      ...(sources.length === 0 ? [] : [shown``, ...sources]),
    ]);
    if (!output.isJson) {
      await output.note(output.tone("dim", `conversation ${reply.conversation_id}`));
    }
    if (reply.message.status !== "incomplete") return exitCodes.done;
    await output.note(incompleteNote(undefined));
    return exitCodes.failed;
  },
});

import { exitCodes } from "#contract/errors.ts";
import { command } from "../kit/command.ts";
import { chatLine, incompleteNote, printAnswer, stoppableAnswer } from "./answer.ts";
import { chatOptions, messageArgument, openChat } from "./conversation.ts";

export default command({
  path: "chat stream",
  summary: "Ask a workflow and print its reply as it is written",
  description:
    "With --format json each event is one line of JSON and the last one is `finish`. A line that " +
    "breaks is resumed where the platform can. If the answer stays incomplete, the received part " +
    "is shown and the exit code is 1.",
  arguments: [messageArgument],
  options: chatOptions,
  examples: [`svc chat stream "What did the Housing Officer reply?" --workflow planning-assistant`],
  calls: ["chat.stream", "chat.resume", "chat.stop"],
  answerLine: chatLine,
  trials: ["elms --workflow {workflow}"],
  async run(input, context) {
    const { message } = input.arguments;
    const { output, signal } = context;
    const { chat, sendOptions } = await openChat(context, message, input.options);
    const stream = chat.stream(message, sendOptions);
    const { complete, failure } = await printAnswer(output, stoppableAnswer(chat, stream, signal));
    if (!output.isJson) {
      await output.note(output.tone("dim", `conversation ${stream.conversationId}`));
    }
    if (complete) return exitCodes.done;
    await output.note(incompleteNote(failure));
    return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  },
});

import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import { exitCodes } from "#contract/errors.ts";
import { incompleteNote, printAnswer, resumedAnswer } from "./chat/answer.ts";
import { chatOptions, openChat } from "./chat/conversation.ts";
import { chosenWorkflow } from "./chat/workflow.ts";
import { command } from "./command.ts";
import { canAsk } from "./input/confirm.ts";
import { typedLines } from "./input/typed-lines.ts";

/** A conversation in the terminal: one question after the other, with its answer below it. */
export const chatCommand = command({
  path: "chat",
  summary: "Talk with a workflow in the terminal",
  description:
    "Each line is a question; its answer appears as it is written, with its sources. Ctrl-C stops " +
    "an answer. An empty line, /quit or Ctrl-D ends the conversation, which stays stored: continue " +
    "it with --conversation-id. A script uses `chat send` or `chat stream`.",
  arguments: [],
  options: {
    ...chatOptions,
    workflow: {
      type: "string",
      description: "Workflow to ask (default: the conversation's, else the workspace's only one)",
    },
  },
  examples: ["svc chat", "svc chat --workflow planning-assistant"],
  routes: [
    "GET /v4/data/resources/{tenantId}/{objectType}",
    "GET /v4/ai/chat/{tenantId}/conversations/{conversationId}",
    "POST /v4/ai/chat/stream/{tenantId}/{workflowId}/{stage}",
    "POST /v4/ai/chat/{tenantId}/conversations/{conversationId}/stop",
  ],
  async run(input, context) {
    const { output, signal, environment } = context;
    if (!canAsk(context)) {
      throw usageError(
        "chat needs a terminal, and no --format json",
        'In a script: svc chat send "<message>" --workflow <workflow>',
      );
    }
    const { options } = input;
    const workflow = options.workflow ?? (await chosenWorkflow(context, options));
    const { chat, sendOptions } = await openChat(context, undefined, { ...options, workflow });
    const conversationId = sendOptions.conversationId ?? crypto.randomUUID();
    let isStored = sendOptions.conversationId !== undefined;
    const prompt = output.tone("strong", "› ");
    const help = `${workflow}: Ctrl-C stops an answer; an empty line ends the conversation`;
    await output.note(output.tone("dim", help));
    for await (const line of typedLines(context, prompt)) {
      const message = line.trim();
      if (message === "" || message === "/quit") break;
      let isStopped = false;
      const answer = async (stop: AbortSignal) => {
        const stream = chat.stream(message, { ...sendOptions, conversationId, signal: stop });
        const printed = await printAnswer(output, resumedAnswer(chat, stream, stop));
        isStopped = stop.aborted;
        return printed;
      };
      const { complete, failure } = await (environment.interruptible?.(answer) ?? answer(signal));
      isStored = true;
      if (!complete) await output.note(isStopped ? shown`Stopped` : incompleteNote(failure));
      if (signal.aborted) break;
      await output.page(shown``);
    }
    if (isStored) await output.note(output.tone("dim", `conversation ${conversationId}`));
    return signal.aborted ? exitCodes.interrupted : exitCodes.done;
  },
});

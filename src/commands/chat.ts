import { shown, type Shown } from "#cli/shown.ts";
import { usageError, missingField } from "#cli/errors.ts";
import { exitCodes } from "#contract/errors.ts";
import { workflowKeyOf } from "#client/enrollments.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import { chatLine, incompleteNote, printAnswer, stoppableAnswer } from "./chat/answer.ts";
import { chatOptions, openChat } from "./chat/conversation.ts";
import { command } from "./kit/command.ts";
import { canAsk } from "./kit/input/confirm.ts";
import type { CommandContext } from "./kit/context.ts";

/** A longer line is cut. */
const longestLine = 32_000;

const workflowsAtMost = 50;

/** A conversation in the terminal: one question after the other, with its answer below it. */
export default command({
  path: "chat",
  summary: "Talk with a workflow in the terminal",
  description:
    "Each line is a question; its answer appears as it is written, with its sources. Ctrl-C " +
    "stops an answer. An empty line, /quit or Ctrl-D ends the conversation, which stays stored: " +
    "continue it with --conversation-id. A script uses `chat send` or `chat stream`.",
  arguments: [],
  options: {
    ...chatOptions,
    workflow: {
      type: "string",
      description: "Workflow to ask (default: the conversation's, else the workspace's only one)",
    },
  },
  examples: ["svc chat", "svc chat --workflow planning-assistant"],
  calls: ["resources.list", "chat.conversation", "chat.stream", "chat.stop"],
  answerLine: chatLine,
  trials: [
    { words: "--workflow {workflow}", stdin: "elms\n/quit\n", isTyped: true, at: ["other"] },
  ],
  async run({ options }, context) {
    const { output, signal, environment } = context;
    if (!canAsk(context)) {
      throw usageError(
        "chat needs a terminal, and no --format json",
        'In a script: svc chat send "<message>" --workflow <workflow>',
      );
    }
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
        const printed = await printAnswer(output, stoppableAnswer(chat, stream, stop));
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

/**
 * The workflow of a conversation in the terminal: that of the conversation to continue, or the only
 * one of the workspace. Throws E303 with the names when the workspace has none or several.
 */
async function chosenWorkflow(
  context: CommandContext,
  options: { readonly "tenant-id"?: string; readonly "conversation-id"?: string },
): Promise<string> {
  const { signal } = context;
  const client = await context.client({ workspace: options["tenant-id"] });
  const conversationId = options["conversation-id"];
  if (conversationId !== undefined) {
    const { workflowId } = await client.useChat().conversation(conversationId, { signal });
    if (workflowId !== undefined) return workflowId;
  }
  const { items } = await client
    .useResources("shared-workflow-config")
    .list({ limit: workflowsAtMost, signal });
  const keys = [...new Set(items.flatMap(({ data }) => workflowKeyOf(data) ?? []))].toSorted();
  const [only] = keys;
  if (only === undefined) throw missingField("--workflow", "The workspace has no workflow");
  if (keys.length === 1) return only;
  throw missingField("--workflow", `The workspace has ${keys.join(", ")}`);
}

/** Lines typed on the terminal, each after the prompt, until the end of input or Ctrl-C. */
async function* typedLines(
  { environment, output, signal }: CommandContext,
  prompt: Shown,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  const ask = (): Promise<void> => environment.stderr.write(prompt.toString());
  let text = "";
  await ask();
  for await (const chunk of chunksUntil(environment.stdin.stream(), signal)) {
    text = (text + decoder.decode(chunk, { stream: true })).slice(0, longestLine);
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      yield line;
      if (signal.aborted) return;
      await ask();
    }
  }
  if (text !== "") yield text;
  // The cursor is still on the line of the prompt.
  await output.note(shown``);
}

import { shown, type Shown } from "#cli/shown.ts";
import { textOption, type OptionsInput } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import type { Output } from "#cli/output/output.ts";
import type { Chat, ChatOptions } from "#client/chat/chat.ts";
import { nearestWords } from "#client/chat/nearest-words.ts";
import type { Citation } from "#contract/documents/chat.ts";
import { tenantOption } from "../kit/workspaces/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { readObject } from "../kit/input/data.ts";

export const conversationArgument = {
  name: "conversation-id",
  description: "Conversation, from `chat list`",
} as const;

export const messageArgument = { name: "message", description: "Question" } as const;

/** Options of `chat send` and `chat stream` (spec 4.7). */
export const chatOptions = {
  "tenant-id": tenantOption,
  workflow: { type: "string", required: true, description: "Workflow to ask" },
  stage: { type: "string", default: "chat", description: "Stage of the workflow" },
  "conversation-id": { type: "string", description: "Conversation to continue" },
  "document-id": { ...textOption("id", "Answer only from these documents"), repeatable: true },
  params: textOption("json", "Structured values for the workflow; `-` reads stdin, `@path` a file"),
} as const;

/** The chat of a call, with the options of its messages. Throws E303 for a blank message. */
export async function openChat(
  context: CommandContext,
  message: string | undefined,
  options: OptionsInput<typeof chatOptions>,
): Promise<{ chat: Chat; sendOptions: ChatOptions }> {
  if (message?.trim() === "") throw missingField("<message>");
  const documentIds = options["document-id"];
  const params = {
    ...(await readObject(context, options.params, "--params")),
    ...(documentIds.length === 0 ? {} : { documentIds }),
  };
  const client = await context.client({ workspace: options["tenant-id"] });
  const sendOptions = {
    conversationId: options["conversation-id"],
    params: Object.keys(params).length === 0 ? undefined : params,
    signal: context.signal,
  };
  return { chat: client.useChat(options.workflow, { stage: options.stage }), sendOptions };
}

/** The passages that are near a question without an answer, under their own heading. */
export function nearestLines(output: Output, nearest: readonly Citation[]): Shown[] {
  return nearest.length === 0 ? [] : [shown`${nearestWords}`, ...citationLines(output, nearest)];
}

/** Each citation with its number, document, page and quote. */
export function citationLines(output: Output, citations: readonly Citation[]): Shown[] {
  return citations.map((citation, index) => {
    const name = citation.filename ?? citation.documentNumber ?? citation.documentId;
    const page = citation.page === undefined ? "" : `, page ${citation.page}`;
    // JSON has the quote verbatim; text shows it on one line.
    const quote = citation.quote.replace(/\s+/g, " ");
    const mark = output.tone("strong", `[${index + 1}]`);
    return output.hanging(shown`${mark} ${output.tone("dim", `${name}${page}:`)} "${quote}"`, 4);
  });
}

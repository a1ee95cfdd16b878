import { Shown, shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { Chat, ChatStream } from "#client/chat/chat.ts";
import type { ChatStreamEvent } from "#client/chat/dialects.ts";
import { resumedAnswer } from "#client/chat/resumed.ts";
import type { Citation } from "#contract/documents/chat.ts";
import type { CatalogError } from "#contract/errors.ts";
import { within } from "#lib/time/within.ts";
import type * as zod from "zod";
import type { AnswerKit } from "../kit/answer.ts";
import { citationLines, nearestLines } from "./conversation.ts";

const stopTimeoutMs = 2_000;

const shownEvents: ReadonlySet<ChatStreamEvent["type"]> = new Set(["text", "error", "finish"]);

/** One line of JSON for each event. */
export async function chatLine({ z }: AnswerKit): Promise<zod.ZodType> {
  const { citation } = await import("#contract/documents/chat.ts");
  return z.union([
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("citation"), citation }),
    z.looseObject({ type: z.literal("nearest"), citation }),
    z.looseObject({ type: z.literal("error"), code: z.string(), message: z.string() }),
    z.looseObject({ type: z.literal("finish"), complete: z.boolean() }),
    z.looseObject({ type: z.string() }),
  ]);
}

export interface PrintedAnswer {
  readonly complete: boolean;
  readonly failure: CatalogError | undefined;
}

/** Prints an answer as it is written: text with its citations, or one line of JSON per event. */
export async function printAnswer(
  output: Output,
  events: AsyncIterable<ChatStreamEvent>,
): Promise<PrintedAnswer> {
  const citations: Citation[] = [];
  const nearest: Citation[] = [];
  let complete = false;
  let failure: CatalogError | undefined;
  using waiting = new WaitingLine(output);
  for await (const event of events) {
    if (shownEvents.has(event.type)) waiting.end();
    if (output.isJson) {
      const { type } = event;
      const value =
        type === "error" ? { type, code: event.error.code, message: event.error.message } : event;
      await output.rows([value]);
    } else if (event.type === "text") {
      await output.fragment(event.text);
    }
    if (event.type === "citation") citations.push(event.citation);
    if (event.type === "nearest") nearest.push(event.citation);
    if (event.type === "error") failure = event.error;
    if (event.type === "finish") complete = event.complete;
  }
  if (!output.isJson) {
    await output.endFragments();
    const sources = [...citationLines(output, citations), ...nearestLines(output, nearest)];
    if (sources.length > 0) await output.page(Shown.joined(["", ...sources], "\n"));
  }
  return { complete, failure };
}

/** The seconds of a wait, on a terminal's status line until the first words of the answer. */
class WaitingLine implements Disposable {
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(output: Output) {
    let seconds = 0;
    this.#timer = setInterval(() => {
      seconds += 1;
      if (!output.isJson) void output.progress(`Answering, ${seconds} s`);
    }, 1_000);
  }

  /** Other output removes the line. */
  end(): void {
    clearInterval(this.#timer);
  }

  [Symbol.dispose](): void {
    this.end();
  }
}

/**
 * The events of an answer, resumed where its stream breaks off. After Ctrl-C the platform stops
 * writing.
 */
export async function* stoppableAnswer(
  chat: Chat,
  stream: ChatStream,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent, void, void> {
  for await (const event of resumedAnswer(chat, stream, signal)) {
    if (event.type === "finish" && signal.aborted) {
      const stopping = chat.stop(stream.conversationId).catch(() => undefined);
      await within(stopTimeoutMs, stopping, undefined);
    }
    yield event;
  }
}

/** The note on an answer that is not complete. */
export function incompleteNote(failure: CatalogError | undefined): Shown {
  const reason = failure === undefined ? "" : `: ${failure.code} ${failure.message}`;
  return shown`The answer is incomplete${reason}`;
}

import { Shown, shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { Chat, ChatStream } from "#client/chat/chat.ts";
import type { ChatStreamEvent } from "#client/chat/dialects.ts";
import type { Citation } from "#contract/documents/chat.ts";
import type { CatalogError } from "#contract/errors.ts";
import { within } from "#lib/time/within.ts";
import type * as zod from "zod";
import type { AnswerKit } from "../kit/answer.ts";
import { citationLines } from "./conversation.ts";

/** Reconnections to an answer whose stream broke off. */
const resumesAtMost = 3;
const stopTimeoutMs = 2_000;

const shownEvents: ReadonlySet<ChatStreamEvent["type"]> = new Set(["text", "error", "finish"]);

/** One line of JSON for each event. */
export async function chatLine({ z }: AnswerKit): Promise<zod.ZodType> {
  const { citation } = await import("#contract/documents/chat.ts");
  return z.union([
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.literal("citation"), citation }),
    z.looseObject({ type: z.literal("error"), code: z.string(), message: z.string() }),
    z.looseObject({ type: z.literal("finish"), complete: z.boolean() }),
    z.looseObject({ type: z.string() }),
  ]);
}

type Finish = Extract<ChatStreamEvent, { type: "finish" }>;

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
    if (event.type === "error") failure = event.error;
    if (event.type === "finish") complete = event.complete;
  }
  if (!output.isJson) {
    await output.endFragments();
    if (citations.length > 0) {
      await output.page(Shown.joined(["", ...citationLines(output, citations)], "\n"));
    }
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
 * The events of an answer. A stream that breaks off is resumed where the platform can, so that no
 * text is lost or repeated. After Ctrl-C the platform stops writing.
 */
export async function* resumedAnswer(
  chat: Chat,
  stream: ChatStream,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent, void, void> {
  const { conversationId } = stream;
  let current = stream;
  for (let resumes = 0; ; resumes += 1) {
    const errors: ChatStreamEvent[] = [];
    let finish: Finish | undefined;
    for await (const event of current) {
      // Dropped when the rest of the answer arrives.
      if (event.type === "error") errors.push(event);
      else if (event.type === "finish") finish = event;
      else yield event;
    }
    if (finish === undefined) return;
    const { lastEventId, reason } = finish;
    if (signal.aborted) {
      const stopping = chat.stop(conversationId).catch(() => undefined);
      await within(stopTimeoutMs, stopping, undefined);
    }
    const isBroken = reason === "incomplete" && lastEventId !== undefined && !signal.aborted;
    if (isBroken && resumes < resumesAtMost) {
      current = chat.resume(conversationId, { lastEventId, signal });
      continue;
    }
    // A reply that has no event is no longer kept: the conversation has its end.
    const isGone = resumes > 0 && finish.complete && lastEventId === undefined;
    yield* errors;
    yield isGone ? { ...finish, complete: false, reason: "incomplete" } : finish;
    return;
  }
}

/** The note on an answer that is not complete. */
export function incompleteNote(failure: CatalogError | undefined): Shown {
  const reason = failure === undefined ? "" : `: ${failure.code} ${failure.message}`;
  return shown`The answer is incomplete${reason}`;
}

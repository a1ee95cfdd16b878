import type { Chat, ChatStream } from "./chat.ts";
import type { ChatStreamEvent } from "./dialects.ts";

/** Reconnections to an answer whose stream broke off. */
const resumesAtMost = 3;

type Finish = Extract<ChatStreamEvent, { type: "finish" }>;

/**
 * The events of an answer. A stream that breaks off is resumed where the platform can, so that no
 * text is lost or repeated.
 */
export async function* resumedAnswer(
  chat: Pick<Chat, "resume">,
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

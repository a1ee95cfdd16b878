import type { ChatEvent } from "#contract/documents/chat.ts";
import type { AnswerEngine, AnswerPart } from "#server/domains/chat/answer-engine.ts";
import type { SentEvent } from "#server/domains/chat/answer-runs.ts";

/** Says one word after the other, each when the test releases it. */
export function slowEngine(words: readonly string[]) {
  const gates = words.map(() => Promise.withResolvers<void>());
  const engine: AnswerEngine = {
    modelOf: () => "slow",
    async *answer({ signal }): AsyncGenerator<AnswerPart> {
      const stopped = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => stopped.resolve(), { once: true });
      for (const [at, text] of words.entries()) {
        await Promise.race([gates[at]?.promise, stopped.promise]);
        if (signal.aborted) return;
        yield { type: "text", text };
      }
      yield { type: "end", model: "slow", finishReason: "stop", usage: { outputTokens: 3 } };
    },
  };
  return { engine, release: (at: number): void => gates[at]?.resolve() };
}

export function textOf(events: readonly SentEvent[]): string {
  return events.map(({ data }) => (data.type === "text-delta" ? data.delta : "")).join("");
}

/** The next events up to one of this type. */
export async function until(
  events: AsyncIterator<SentEvent, unknown>,
  type: ChatEvent["type"],
): Promise<SentEvent[]> {
  const seen: SentEvent[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error(`the stream ended before ${type}`);
    seen.push(next.value);
    if (next.value.data.type === type) return seen;
  }
}

export async function rest(events: AsyncIterable<SentEvent>): Promise<SentEvent[]> {
  const seen: SentEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

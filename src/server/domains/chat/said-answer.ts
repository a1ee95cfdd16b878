import { given } from "#lib/given.ts";
import type { ChatEvent, Citation } from "#contract/documents/chat.ts";
import type { AnswerPart, AnswerUsage } from "./answer-engine.ts";
import type { AnswerDetails, Message } from "./store.ts";

const textId = "text";
const reasoningId = "reasoning";

/**
 * An answer while it is written: it turns parts into events of the AI SDK's UI message stream, and
 * keeps its text for the store.
 */
export class SaidAnswer {
  readonly id = Bun.randomUUIDv7();
  #content = "";
  #reasoning = "";
  readonly #citations: Citation[] = [];
  readonly #nearest: Citation[] = [];
  readonly #unsupported: NonNullable<AnswerDetails["unsupported"]>[number][] = [];
  readonly #sources = new Set<string>();
  #open: "text" | "reasoning" | undefined;
  #model: string;
  #finishReason = "stop";
  #usage: AnswerUsage = {};

  constructor(
    private readonly conversationId: string,
    model: string,
  ) {
    this.#model = model;
  }

  get content(): string {
    return this.#content;
  }

  get citations(): readonly Citation[] {
    return this.#citations;
  }

  get nearest(): readonly Citation[] {
    return this.#nearest;
  }

  get end(): { model: string; finishReason: string; usage: AnswerUsage } {
    return { model: this.#model, finishReason: this.#finishReason, usage: this.#usage };
  }

  start(): ChatEvent {
    const messageMetadata = { conversation_id: this.conversationId, model: this.#model };
    return { type: "start", messageId: this.id, messageMetadata };
  }

  /** The events of a part; texts open and close their blocks. */
  *take(part: AnswerPart): Generator<ChatEvent, void, void> {
    if (part.type === "text" || part.type === "reasoning") {
      if (part.text === "") return;
      yield* this.#enter(part.type);
      if (part.type === "text") this.#content += part.text;
      else this.#reasoning += part.text;
      yield part.type === "text"
        ? { type: "text-delta", id: textId, delta: part.text }
        : { type: "reasoning-delta", id: reasoningId, delta: part.text };
      return;
    }
    // Citations may stay inside the text; a tool ends it.
    if (part.type === "tool") yield* this.#enter(undefined);
    switch (part.type) {
      case "tool": {
        const { id: toolCallId, name: toolName, input } = part.tool;
        yield { type: "tool-input-available", toolCallId, toolName, input };
        return;
      }
      case "tool-result":
        yield { type: "tool-output-available", toolCallId: part.id, output: part.output };
        return;
      case "citation":
        this.#citations.push(part.citation);
        yield* this.#source(part.citation, part.mediaType);
        yield { type: "data-citation", id: part.citation.id, data: part.citation };
        return;
      case "nearest":
        this.#nearest.push(part.citation);
        yield { type: "data-nearest", id: part.citation.id, data: part.citation };
        return;
      case "unsupported":
        this.#unsupported.push(part.data);
        yield {
          type: "data-unsupported",
          id: String(this.#unsupported.length),
          data: part.data,
        };
        return;
      case "end":
        this.#model = part.model;
        this.#finishReason = part.finishReason;
        this.#usage = part.usage;
    }
  }

  close(): Generator<ChatEvent, void, void> {
    return this.#enter(undefined);
  }

  finish(): ChatEvent {
    const { model, finishReason, usage } = this.end;
    const messageMetadata = { conversation_id: this.conversationId, model, usage };
    return { type: "finish", finishReason, messageMetadata };
  }

  /** The message as the store keeps it. */
  message(status: Message["status"]): Omit<Message, "ordinal" | "createdAt"> {
    return {
      id: this.id,
      role: "assistant",
      content: this.#content,
      citations: this.#citations,
      details: {
        model: this.#model,
        ...(this.#reasoning === "" ? {} : { reasoning: this.#reasoning }),
        ...(this.#nearest.length === 0 ? {} : { nearest: this.#nearest }),
        ...(this.#unsupported.length === 0 ? {} : { unsupported: this.#unsupported }),
      },
      status,
    };
  }

  *#enter(block: "text" | "reasoning" | undefined): Generator<ChatEvent, void, void> {
    if (this.#open === block) return;
    if (this.#open === "text") yield { type: "text-end", id: textId };
    if (this.#open === "reasoning") yield { type: "reasoning-end", id: reasoningId };
    this.#open = block;
    if (block === "text") yield { type: "text-start", id: textId };
    if (block === "reasoning") yield { type: "reasoning-start", id: reasoningId };
  }

  /** One event for each cited document, before its first citation. */
  *#source(citation: Citation, mediaType: string): Generator<ChatEvent, void, void> {
    const { documentId: sourceId, filename = "" } = citation;
    if (this.#sources.has(sourceId)) return;
    this.#sources.add(sourceId);
    yield { type: "source-document", sourceId, mediaType, title: filename, filename };
  }
}

/** The message of an answer of which only these events are known. */
export function messageOfEvents(
  id: string,
  events: readonly ChatEvent[],
): Omit<Message, "ordinal" | "createdAt"> {
  let content = "";
  let reasoning = "";
  let model: string | undefined;
  const citations: Citation[] = [];
  const nearest: Citation[] = [];
  const unsupported: NonNullable<AnswerDetails["unsupported"]>[number][] = [];
  for (const event of events) {
    if (event.type === "text-delta") content += event.delta;
    else if (event.type === "reasoning-delta") reasoning += event.delta;
    else if (event.type === "data-citation") citations.push(event.data);
    else if (event.type === "data-nearest") nearest.push(event.data);
    else if (event.type === "data-unsupported") unsupported.push(event.data);
    else if (event.type === "start") {
      const named = event.messageMetadata?.["model"];
      if (typeof named === "string") model = named;
    }
  }
  const details = {
    ...given({ model }),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(nearest.length === 0 ? {} : { nearest }),
    ...(unsupported.length === 0 ? {} : { unsupported }),
  };
  return { id, role: "assistant", content, citations, details, status: "incomplete" };
}

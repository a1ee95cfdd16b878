import type { ChatReply, Citation } from "#contract/chat.ts";
import type { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import type { CallOptions } from "../options.ts";

/** What a message belongs to and comes with. */
export interface ChatOptions extends CallOptions {
  /** UUID; a fresh one is made when absent (spec 2.10). */
  readonly conversationId?: string | undefined;
  /** Structured values for the workflow, e.g. `documentIds` (spec 2.10). */
  readonly params?: JsonObject | undefined;
  /** As `params`; travels as `runtime_context`. */
  readonly runtimeContext?: JsonObject | undefined;
  /** Longest silence of a stream before it counts as broken (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
}

/** A source that an answer names, beside the passages that it cites. */
export interface ChatSource {
  readonly id: string;
  readonly title: string | undefined;
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
}

/** What a stream says, whichever dialect the deployment speaks. The last event is always `finish`. */
export type ChatStreamEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "source"; readonly source: ChatSource }
  | { readonly type: "error"; readonly error: CatalogError }
  | { readonly type: "unknown"; readonly name: string; readonly value: unknown }
  | ({ readonly type: "finish" } & ChatFinish);

/** How a stream ended. */
export interface ChatFinish {
  /** True only after `[DONE]`, with no error and no abort: anything else is a part of an answer. */
  readonly complete: boolean;
  readonly reason: "done" | "incomplete" | "aborted" | "error";
  readonly finishReason: string | undefined;
  readonly conversationId: string;
  readonly model: string | undefined;
  readonly messageId: string | undefined;
}

/** An answer as it is written; it can be read once. */
export interface ChatStream extends AsyncIterable<ChatStreamEvent> {
  readonly conversationId: string;
}

/** Chat with one stage of a workflow (spec 4.5). */
export interface Chat {
  /** One reply, with its citations. Sent once: a model may have answered when the line breaks. */
  send(message: string, options?: ChatOptions): Promise<ChatReply>;
  /**
   * Starts with the first `next()`: a request that is refused throws there. A stream that breaks off
   * gives an `error` event and `finish` with `complete: false`; it is never sent again by itself.
   */
  stream(message: string, options?: ChatOptions): ChatStream;
}

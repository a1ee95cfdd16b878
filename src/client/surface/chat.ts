import type {
  ChatMessage,
  ChatReply,
  Citation,
  Conversation,
  ConversationDeletion,
  StopReceipt,
} from "#contract/chat.ts";
import type { ListBody } from "#contract/lists.ts";
import type { CatalogError } from "#contract/errors.ts";
import type { JsonObject } from "#contract/values.ts";
import type { CallOptions } from "../options.ts";
import type { FixedListOptions } from "./lists.ts";

/** Options of a chat message. */
export interface ChatOptions extends CallOptions {
  /** Default: the workflow of `useChat`. */
  readonly workflowId?: string | undefined;
  /** Default: the stage of `useChat`, then `chat`. */
  readonly stage?: string | undefined;
  /** Default: a new UUID (spec 2.10). */
  readonly conversationId?: string | undefined;
  /** Structured values for the workflow, e.g. `documentIds` (spec 2.10). */
  readonly params?: JsonObject | undefined;
  /** As `params`. */
  readonly runtime_context?: JsonObject | undefined;
  /** Longest silence of a stream (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest duration of a stream (default 900,000); it ends after 16 MiB at the latest. */
  readonly streamLimitMs?: number | undefined;
}

/** A source of an answer, in addition to cited passages. */
export interface ChatSource {
  readonly id: string;
  readonly title: string | undefined;
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
}

/** One event of a stream, equal for every deployment. The last event is always `finish`. */
export type ChatStreamEvent =
  | { readonly type: "text"; readonly text: string }
  /** The thoughts of a model before its answer; they are not part of it. */
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "source"; readonly source: ChatSource }
  | { readonly type: "error"; readonly error: CatalogError }
  | { readonly type: "unknown"; readonly name: string; readonly value: unknown }
  | ({ readonly type: "finish" } & ChatFinish);

/** The end of a stream. */
export interface ChatFinish {
  /** True only after `[DONE]` without error and abort; otherwise the answer is incomplete. */
  readonly complete: boolean;
  readonly reason: "done" | "incomplete" | "aborted" | "error";
  readonly finishReason: string | undefined;
  readonly conversationId: string;
  readonly model: string | undefined;
  readonly messageId: string | undefined;
  /** The `id:` of the last event, from which `resume` continues. */
  readonly lastEventId: string | undefined;
}

/** An answer while it is written; it can be read once. */
export interface ChatStream extends AsyncIterable<ChatStreamEvent> {
  readonly conversationId: string;
}

/** A conversation with all its messages, oldest first. */
export interface FullConversation extends Conversation {
  readonly messages: readonly ChatMessage[];
}

/** Options of a resumed answer. */
export interface ResumeOptions extends CallOptions {
  /** `lastEventId` of the stream that broke off; without it the answer begins again. */
  readonly lastEventId?: string | undefined;
  readonly idleTimeoutMs?: number | undefined;
  readonly streamLimitMs?: number | undefined;
}

/** Chat with one stage of a workflow (spec 4.5). */
export interface Chat {
  /** One reply with its citations; never retried. */
  send(message: string, options?: ChatOptions): Promise<ChatReply>;
  /**
   * The request is sent, and may throw, at the first `next()`. A stream that breaks off yields
   * `error` and `finish` with `complete: false`; it is never retried.
   */
  stream(message: string, options?: ChatOptions): ChatStream;
  /**
   * The rest of an answer whose stream broke off: the platform writes on for a while. It has no
   * text when the answer has ended long ago; then the conversation has it.
   */
  resume(conversationId: string, options?: ResumeOptions): ChatStream;
  /** Stops the answer that is being written; its text so far is kept. */
  stop(conversationId: string, options?: CallOptions): Promise<StopReceipt>;
  /** One page of the caller's conversations, newest first. */
  conversations(options?: FixedListOptions): Promise<ListBody<Conversation>>;
  /** A conversation with all its messages. */
  conversation(conversationId: string, options?: CallOptions): Promise<FullConversation>;
  /** Changes a conversation's title. */
  rename(conversationId: string, title: string, options?: CallOptions): Promise<Conversation>;
  /** Deletes a conversation with its messages. */
  deleteConversation(conversationId: string, options?: CallOptions): Promise<ConversationDeletion>;
}

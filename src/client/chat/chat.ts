import type {
  ChatMessage,
  ChatReply,
  Conversation,
  ConversationDeletion,
  StopReceipt,
} from "#contract/documents/chat.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import type { ChatStreamEvent } from "./dialects.ts";
import type { CallOptions, FixedListOptions } from "../options.ts";
import { listInput } from "../pages.ts";
import type { ClientCalls } from "../calls.ts";
import { requireTimeLimitMs } from "../transport/time-limit.ts";

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
  /** Structured values under the other name of spec 2.10. */
  readonly runtime_context?: JsonObject | undefined;
  /** Longest silence of a stream (default 60,000). */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest duration of a stream (default 900,000); it ends after 16 MiB at the latest. */
  readonly streamLimitMs?: number | undefined;
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

// The contract's constant is not imported, because that would load its schemas.
const defaultStage = "chat";
/** Messages of one request, and requests for one conversation. */
const atATime = 500;
const pagesAtMost = 20;

/** Chat with one stage of a workflow (spec 4.5). */
export type Chat = ReturnType<typeof chat>;

/** The verbs of a workflow's stage; each message may name another workflow and stage. */
export function chat(client: ClientCalls, workflowId?: string, stage: string = defaultStage) {
  return { ...answerVerbs(client, workflowId, stage), ...conversationVerbs(client) };
}

function answerVerbs(client: ClientCalls, ownWorkflowId: string | undefined, ownStage: string) {
  const callOf = (message: string, conversationId: string, options: ChatOptions) => {
    const {
      workflowId = ownWorkflowId,
      stage = ownStage,
      params,
      runtime_context,
      idleTimeoutMs: _idle,
      streamLimitMs: _limit,
      conversationId: _conversation,
      ...call
    } = options;
    if (workflowId === undefined) throw catalogError("E303", { field: "workflowId" });
    const body = { message, conversation_id: conversationId, params, runtime_context };
    return { ...call, params: { workflowId, stage }, body };
  };

  return {
    /** One reply with its citations; never retried. */
    async send(message: string, options: ChatOptions = {}): Promise<ChatReply> {
      const conversationId = options.conversationId ?? crypto.randomUUID();
      const reply = await client.chat.send(callOf(message, conversationId, options));
      if (reply.conversation_id === "") reply.conversation_id = conversationId;
      return reply;
    },
    /**
     * The request is sent, and may throw, at the first `next()`. A stream that breaks off yields
     * `error` and `finish` with `complete: false`; it is never retried.
     */
    stream(message: string, options: ChatOptions = {}): ChatStream {
      const conversationId = options.conversationId ?? crypto.randomUUID();
      return chatStream(conversationId, options, () => {
        const call = callOf(message, conversationId, options);
        return { response: client.chat.stream.raw(call), workflow: call.params };
      });
    },
    /**
     * The rest of an answer whose stream broke off: the platform writes on for a while. It has no
     * text when the answer has ended long ago; then the conversation has it.
     */
    resume(conversationId: string, options: ResumeOptions = {}): ChatStream {
      const { lastEventId, idleTimeoutMs: _idle, streamLimitMs: _limit, ...call } = options;
      return chatStream(conversationId, options, () => {
        const headers = given({ "Last-Event-ID": lastEventId });
        const input = { ...call, params: { conversationId }, headers };
        return { response: client.chat.resume.raw(input) };
      });
    },
    /** Stops the answer that is being written; its text so far is kept. */
    async stop(conversationId: string, options: CallOptions = {}): Promise<StopReceipt> {
      return await client.chat.stop({ ...options, params: { conversationId } });
    },
  };
}

function conversationVerbs(client: ClientCalls) {
  return {
    /** One page of the caller's conversations, newest first. */
    async conversations(options: FixedListOptions = {}): Promise<ListBody<Conversation>> {
      return await client.chat.conversations(listInput(options));
    },
    /** A conversation with all its messages. */
    async conversation(
      conversationId: string,
      options: CallOptions = {},
    ): Promise<FullConversation> {
      const params = { conversationId };
      let page = await client.chat.conversation({ ...options, params, query: { limit: atATime } });
      const messages = [page.messages];
      while (typeof page.nextCursor === "string" && messages.length < pagesAtMost) {
        const query = { limit: atATime, cursor: page.nextCursor };
        page = await client.chat.conversation({ ...options, params, query });
        messages.unshift(page.messages);
      }
      const { hasNextPage: _more, nextCursor: _cursor, ...conversation } = page;
      return { ...conversation, messages: messages.flat() };
    },
    /** Changes the title of a conversation. */
    async rename(
      conversationId: string,
      title: string,
      options: CallOptions = {},
    ): Promise<Conversation> {
      return await client.chat.rename({ ...options, params: { conversationId }, body: { title } });
    },
    /** Deletes a conversation with its messages. */
    async deleteConversation(
      conversationId: string,
      options: CallOptions = {},
    ): Promise<ConversationDeletion> {
      return await client.chat.deleteConversation({ ...options, params: { conversationId } });
    },
  };
}

/** A sent request; without a workflow it is about its conversation. */
interface OpenedChat {
  readonly response: Promise<Response>;
  readonly workflow?: { readonly workflowId: string; readonly stage: string };
}

function chatStream(
  conversationId: string,
  options: Pick<ResumeOptions, "signal" | "idleTimeoutMs" | "streamLimitMs">,
  open: () => OpenedChat,
): ChatStream {
  let started = false;
  return {
    conversationId,
    async *[Symbol.asyncIterator](): AsyncGenerator<ChatStreamEvent, void, undefined> {
      if (started) throw catalogError("E305", { details: "a chat stream is read only once" });
      started = true;
      // Checked before the request, which would start a model.
      for (const name of ["idleTimeoutMs", "streamLimitMs"] as const) {
        const limitMs = options[name];
        if (limitMs !== undefined) requireTimeLimitMs(limitMs, name);
      }
      const { response: sent, workflow } = open();
      const [response, { readChat }] = await Promise.all([sent, import("./stream.ts")]);
      if (!response.ok) throw await refusal(response, conversationId, workflow);
      yield* readChat(response, conversationId, options);
    },
  };
}

async function refusal(
  response: Response,
  conversationId: string,
  workflow: OpenedChat["workflow"],
): Promise<CatalogError> {
  const [{ errorFromResponse }, { workflowSubject }] = await Promise.all([
    import("../failures.ts"),
    import("../subject.ts"),
  ]);
  const subject =
    workflow === undefined
      ? `Conversation ${conversationId}`
      : workflowSubject(workflow.workflowId, workflow.stage);
  return await errorFromResponse(response, { subject });
}

import { catalogError } from "#contract/errors.ts";
import { readChat } from "./chat-stream.ts";
import { errorFromResponse } from "./failures.ts";
import { requireTimeLimitMs } from "./time-limit.ts";
import { workflowSubject } from "./subject.ts";
import type { Client } from "./surface.ts";
import type { CallOptions } from "./options.ts";
import { listQuery } from "./pages.ts";
import type { Chat, ChatOptions, ChatStream, ChatStreamEvent } from "./surface/chat.ts";

// Not imported from the contract, which would load its schemas.
const defaultStage = "chat";
/** Messages of one request, and requests for one conversation. */
const atATime = 500;
const pagesAtMost = 20;

type StreamLimits = Pick<ChatOptions, "idleTimeoutMs" | "streamLimitMs">;

export function chat(client: Client, ownWorkflowId?: string, ownStage = defaultStage): Chat {
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

  const reading = (
    conversationId: string,
    options: StreamLimits & CallOptions,
    open: () => { readonly response: Promise<Response>; readonly subject: string },
  ): ChatStream => {
    let started = false;
    return {
      conversationId,
      async *[Symbol.asyncIterator](): AsyncGenerator<ChatStreamEvent, void, undefined> {
        if (started) throw catalogError("E305", { details: "a chat stream is read only once" });
        started = true;
        // Checked before the request, which would start a model.
        if (options.idleTimeoutMs !== undefined) {
          requireTimeLimitMs(options.idleTimeoutMs, "idleTimeoutMs");
        }
        if (options.streamLimitMs !== undefined) {
          requireTimeLimitMs(options.streamLimitMs, "streamLimitMs");
        }
        const { response: sent, subject } = open();
        const response = await sent;
        if (!response.ok) throw await errorFromResponse(response, { subject });
        yield* readChat(response, conversationId, options);
      },
    };
  };

  return {
    send: async (message, options = {}) => {
      const conversationId = options.conversationId ?? crypto.randomUUID();
      const reply = await client.chat.send(callOf(message, conversationId, options));
      if (reply.conversation_id === "") reply.conversation_id = conversationId;
      return reply;
    },
    stream: (message, options = {}) => {
      const conversationId = options.conversationId ?? crypto.randomUUID();
      return reading(conversationId, options, () => {
        const call = callOf(message, conversationId, options);
        const { workflowId, stage } = call.params;
        const subject = workflowSubject(workflowId, stage);
        return { response: client.chat.stream.raw(call), subject };
      });
    },
    resume: (conversationId, { lastEventId, idleTimeoutMs, streamLimitMs, ...call } = {}) =>
      reading(conversationId, { ...call, idleTimeoutMs, streamLimitMs }, () => {
        const headers = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
        const input = { ...call, params: { conversationId }, headers };
        const subject = `Conversation ${conversationId}`;
        return { response: client.chat.resume.raw(input), subject };
      }),
    stop: async (conversationId, options = {}) =>
      await client.chat.stop({ ...options, params: { conversationId } }),
    conversations: async (options = {}) => {
      const { call, query } = listQuery(options);
      return await client.chat.conversations({ ...call, query });
    },
    conversation: async (conversationId, options = {}) => {
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
    rename: async (conversationId, title, options = {}) =>
      await client.chat.rename({ ...options, params: { conversationId }, body: { title } }),
    deleteConversation: async (conversationId, options = {}) =>
      await client.chat.deleteConversation({ ...options, params: { conversationId } }),
  };
}

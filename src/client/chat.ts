import { catalogError } from "#contract/errors.ts";
import { readChat } from "./chat-stream.ts";
import { errorFromResponse } from "./failures.ts";
import { requireTimeLimitMs } from "./time-limit.ts";
import type { Client } from "./surface.ts";
import type { Chat, ChatOptions, ChatStreamEvent } from "./surface/chat.ts";

// Not imported from the contract, which would load its schemas.
const defaultStage = "chat";

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

  return {
    send: async (message, options = {}) => {
      const conversationId = options.conversationId ?? crypto.randomUUID();
      const reply = await client.chat.send(callOf(message, conversationId, options));
      if (reply.conversation_id === "") reply.conversation_id = conversationId;
      return reply;
    },
    stream: (message, options = {}) => {
      const conversationId = options.conversationId ?? crypto.randomUUID();
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
          const call = callOf(message, conversationId, options);
          const response = await client.chat.stream.raw(call);
          if (!response.ok) {
            const subject = `Workflow ${call.params.workflowId}`;
            throw await errorFromResponse(response, { subject });
          }
          yield* readChat(response, conversationId, options);
        },
      };
    },
  };
}

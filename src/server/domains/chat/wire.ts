import { given } from "#lib/given.ts";
import type { ChatMessage } from "#contract/documents/chat.ts";
import type { Conversation as ConversationBody } from "#contract/documents/chat.ts";
import type { Conversation, Message } from "./store.ts";

/** A message with the `parts` of the AI SDK's UI messages. */
export function chatMessageOf(message: Omit<Message, "ordinal">): ChatMessage {
  const { model, reasoning, nearest = [], unsupported = [] } = message.details;
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    parts: [
      ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning }]),
      { type: "text", text: message.content },
      ...message.citations.map((citation) => ({
        type: "data-citation",
        id: citation.id,
        data: citation,
      })),
      ...nearest.map((data) => ({ type: "data-nearest", id: data.id, data })),
      ...unsupported.map((data, index) => ({
        type: "data-unsupported",
        id: String(index + 1),
        data,
      })),
    ],
    ...(message.role === "assistant" ? { citations: [...message.citations] } : {}),
    ...(nearest.length === 0 ? {} : { nearest: [...nearest] }),
    ...given({ model }),
    status: message.status,
    created_at: message.createdAt,
  };
}

export function conversationOf(conversation: Conversation): ConversationBody {
  return {
    conversation_id: conversation.id,
    title: conversation.title,
    workflowId: conversation.workflowId,
    stage: conversation.stage,
    messageCount: conversation.messageCount,
    created_at: conversation.createdAt,
    updated_at: conversation.updatedAt,
  };
}

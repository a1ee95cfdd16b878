import type { ChatEvent, ChatMessage, Citation } from "#contract/chat.ts";
import type { Conversation as ConversationBody } from "#contract/chat.ts";
import type { CheckedPassage } from "./answer-engine.ts";
import type { Conversation, Message } from "./store.ts";

/** A message with the `parts` of the AI SDK's UI messages. */
export function chatMessageOf(message: Omit<Message, "ordinal">): ChatMessage {
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    parts: [
      { type: "text", text: message.content },
      ...message.citations.map((citation) => ({
        type: "data-citation",
        id: citation.id,
        data: citation,
      })),
    ],
    ...(message.role === "assistant" ? { citations: [...message.citations] } : {}),
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

/** One event for each cited document, in the order of the first citation. */
export function sourceEvents(passages: readonly CheckedPassage[]): ChatEvent[] {
  const seen = new Set<string>();
  return passages.flatMap(({ documentId, mediaType, filename }): ChatEvent[] => {
    if (seen.has(documentId)) return [];
    seen.add(documentId);
    const title = filename;
    return [{ type: "source-document", sourceId: documentId, mediaType, title, filename }];
  });
}

export function citationEvents(citations: readonly Citation[]): ChatEvent[] {
  return citations.map((data) => ({ type: "data-citation", id: data.id, data }));
}

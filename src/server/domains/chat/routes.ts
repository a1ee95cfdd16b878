import type { ChatRequest } from "#contract/documents/chat.ts";
import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { Asking, ChatService } from "./service.ts";

/** The AI SDK's UI message stream, version 1. */
const streamHeaders = { "x-vercel-ai-ui-message-stream": "v1" };

export function chatHandlers({ chat }: { readonly chat: ChatService }): DomainHandlers<"chat"> {
  const { conversations } = chat;
  return {
    send: ({ params, body }, context) => chat.send(context.work, asking(params, body, context)),
    stream: async ({ params, body }, context) => ({
      events: await chat.stream(context.work, asking(params, body, context)),
      headers: streamHeaders,
    }),
    conversations: ({ query }, { work, workspace }) =>
      conversations.list(work, workspace.id, query),
    conversation: ({ params, query }, context) =>
      conversations.detail(context.work, keyOf(params, context), query),
    rename: ({ params, body }, context) =>
      conversations.rename(context.work, keyOf(params, context), body.title),
    deleteConversation: ({ params }, context) =>
      conversations.delete(context.work, keyOf(params, context)),
    resume: async ({ params }, context) => ({
      events: await chat.resume(context.work, keyOf(params, context), context),
      headers: streamHeaders,
    }),
    stop: ({ params }, context) => chat.stop(context.work, keyOf(params, context)),
  };
}

function keyOf(
  { conversationId }: { readonly conversationId: string },
  { workspace }: WorkspaceContext,
) {
  return { workspaceId: workspace.id, id: conversationId };
}

function asking(
  { workflowId, stage }: { readonly workflowId: string; readonly stage: string },
  request: ChatRequest,
  { workspace, signal }: WorkspaceContext,
): Asking {
  return { workspaceId: workspace.id, workflowId, stage, request, signal };
}

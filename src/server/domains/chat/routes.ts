import type { ChatRequest } from "#contract/chat.ts";
import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { Asking, ChatService } from "./service.ts";

/** The AI SDK's UI message stream, version 1. */
const streamHeaders = { "x-vercel-ai-ui-message-stream": "v1" };

export function chatHandlers({ chat }: { readonly chat: ChatService }): DomainHandlers<"chat"> {
  const { conversations } = chat;
  return {
    send: ({ params, body }, context) => chat.send(asking(params, body, context)),
    stream: async ({ params, body }, context) => ({
      events: await chat.stream(asking(params, body, context)),
      headers: streamHeaders,
    }),
    conversations: ({ query }, { workspace, principal }) =>
      conversations.list(workspace.id, principal.oid, query),
    conversation: ({ params, query }, context) =>
      conversations.detail(keyOf(params, context), context.principal.oid, query),
    rename: ({ params, body }, context) =>
      conversations.rename(keyOf(params, context), context.principal.oid, body.title),
    deleteConversation: ({ params }, context) =>
      conversations.delete(keyOf(params, context), context.principal.oid),
    resume: async ({ params }, context) => ({
      events: await chat.resume(keyOf(params, context), context.principal.oid, context),
      headers: streamHeaders,
    }),
    stop: ({ params }, context) => chat.stop(keyOf(params, context), context.principal.oid),
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
  { workspace, principal, signal }: WorkspaceContext,
): Asking {
  return { workspaceId: workspace.id, oid: principal.oid, workflowId, stage, request, signal };
}

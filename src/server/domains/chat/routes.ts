import type { ChatRequest } from "#contract/chat.ts";
import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { Asking, ChatService } from "./service.ts";

export function chatHandlers({ chat }: { readonly chat: ChatService }): DomainHandlers<"chat"> {
  return {
    send: ({ params, body }, context) => chat.send(asking(params, body, context)),
    stream: async ({ params, body }, context) => ({
      events: await chat.stream(asking(params, body, context)),
      headers: { "x-vercel-ai-ui-message-stream": "v1" },
    }),
    conversations: ({ query }, { workspace, principal }) =>
      chat.conversations.list(workspace.id, principal.oid, query),
    conversation: ({ params, query }, { workspace, principal }) =>
      chat.conversations.detail(
        { workspaceId: workspace.id, id: params.conversationId },
        principal.oid,
        query,
      ),
  };
}

function asking(
  { workflowId, stage }: { readonly workflowId: string; readonly stage: string },
  request: ChatRequest,
  { workspace, principal, signal }: WorkspaceContext,
): Asking {
  return { workspaceId: workspace.id, oid: principal.oid, workflowId, stage, request, signal };
}

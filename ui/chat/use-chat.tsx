import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from "react";
import type { Conversation } from "#client/index.ts";
import { ChatSession, type ChatState } from "./chat-session.ts";
import { bindingType, keyPairOf } from "../shell/platform/workflow-bindings.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useNotices } from "../shell/use-notices.tsx";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useRouter } from "../shell/use-router.tsx";
import { useUnsentQuestion } from "./use-question-field.ts";
import { requiredContext } from "../kit/state/required-context.ts";

const [ChatContext, useChatSession] = requiredContext<ChatSession>("ChatProvider");

export function ChatProvider(props: { readonly children: ReactNode }) {
  const { session, tenantId } = usePlatform();
  const { workflowKey } = session;
  // Another workspace or user gets another conversation.
  const chat = useMemo(
    () => ({
      owner: `${session.baseUrl} ${session.user} ${tenantId}`,
      session: new ChatSession(workflowKey),
    }),
    [session.baseUrl, session.user, tenantId, workflowKey],
  ).session;
  useEffect(() => () => chat.stop(), [chat]);
  useUnsentQuestion();
  return <ChatContext value={chat}>{props.children}</ChatContext>;
}

interface Chat {
  readonly state: ChatState;
  readonly session: ChatSession;
  send(message: string): void;
  /** Stops the running answer, here and on the platform. */
  stop(): void;
  open(conversation: Conversation): void;
}

export function useChat(): Chat {
  const session = useChatSession();
  const { client, tenantId } = usePlatform();
  const { sayFailure } = useNotices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  return {
    state,
    session,
    send: (message) => {
      if (client === undefined) return;
      void session.send(message, (workflow, text, options) =>
        client.useChat(workflow, { tenantId }).stream(text, options),
      );
    },
    stop: () => {
      const { conversationId } = session.state();
      session.stop();
      // Other deployments have no such route: there the end of the stream stops the answer.
      client
        ?.useChat(undefined, { tenantId })
        .stop(conversationId)
        .catch(() => undefined);
    },
    open: (conversation) => {
      client?.chat
        .conversation({ params: { conversationId: conversation.conversation_id }, tenantId })
        .then(
          (detail) => session.resume(detail.conversation_id, detail.messages, detail.workflowId),
          sayFailure,
        );
    },
  };
}

/** Takes the documents that the route names, and the first workflow while none is chosen. */
export function useChatDefaults(): void {
  const { route } = useRouter();
  const { session, state } = useChat();
  const workflows = useWorkflows();
  const subjects = route.place === "chat" ? route.subjects : undefined;
  useEffect(() => {
    if (subjects !== undefined) session.askAbout(subjects);
  }, [session, subjects]);
  const [firstWorkflow] = workflows.value ?? [];
  useEffect(() => {
    if (state.workflow === undefined && firstWorkflow !== undefined) {
      session.chooseWorkflow(firstWorkflow);
    }
  }, [session, state.workflow, firstWorkflow]);
}

const refreshMs = 60_000;
const listed = 50;

/** Workflows of the workspace that are bound to an app. */
export function useWorkflows(): LiveAnswer<readonly string[]> {
  const types = useObjectTypes();
  const bound = types.value?.some((type) => type.slug === bindingType) ?? false;
  const answer = useAnswer(
    ["workflows", String(bound)],
    async (client, signal, tenantId) => {
      if (!bound) return [];
      const { items } = await client
        .useResources(bindingType, { tenantId })
        .list({ limit: listed, signal });
      return [...new Set(items.flatMap((record) => keyPairOf(record.data)?.workflowKey ?? []))];
    },
    { refreshMs, enabled: types.value !== undefined },
  );
  // Without the Object Types this question is never asked: their failure is the reason.
  return { ...answer, failure: answer.failure ?? types.failure };
}

/**
 * Loads the user's stored conversations, newest first: always again, since each question may have
 * added one.
 */
export function useConversations(): (signal: AbortSignal) => Promise<readonly Conversation[]> {
  const { client, tenantId } = usePlatform();
  return async (signal) => {
    const query = { limit: listed };
    return (await client?.chat.conversations({ tenantId, query, signal }))?.items ?? [];
  };
}

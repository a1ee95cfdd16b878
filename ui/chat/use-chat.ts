import { useEffect } from "react";
import type { resumedAnswer as ResumedAnswer } from "#client/chat/resumed.ts";
import type { ChatStreamEvent, Conversation } from "#client/index.ts";
import { given } from "#lib/given.ts";
import type { ChatSession, ChatState } from "./chat-session.ts";
import { conversationsPart } from "./conversations.ts";
import { bindingType, keyPairOf } from "../shell/platform/workflow-bindings.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useNotices } from "../shell/notices.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useRoute } from "../shell/router.ts";
import { usePart } from "../kit/state/part.ts";
import { useStore } from "../kit/state/store.ts";
import { useShownSession } from "./use-question-field.ts";

interface Chat {
  readonly state: ChatState;
  readonly session: ChatSession;
  send(message: string): void;
  /** Stops the running answer, here and on the platform. */
  stop(): void;
  /** Shows a stored conversation in its tab, or in a new one. */
  open(conversation: Conversation): void;
  /** Loads messages from before the first one, if there are any. */
  loadOlder(): void;
}

export function useChat(): Chat {
  const conversations = usePart(conversationsPart);
  const session = useShownSession();
  const { client, tenantId } = usePlatform();
  const { say, sayFailure } = useNotices();
  const state = useStore(session);
  return {
    state,
    session,
    send: (message) => {
      if (client === undefined) return;
      void session.send(message, (workflow, text, options, signal) => {
        const chat = client.useChat(workflow, { tenantId });
        return resumed(chat, chat.stream(text, { ...options, signal }), signal);
      });
    },
    stop: () => {
      const { conversationId } = session.get();
      session.stop();
      // Other deployments have no such route: there the end of the stream stops the answer.
      client
        ?.useChat(undefined, { tenantId })
        .stop(conversationId)
        .catch(() => undefined);
    },
    open: ({ conversation_id: conversationId }) => {
      const { all, shown } = conversations.tabs.get();
      const opened = all.find((each) => each.get().conversationId === conversationId);
      if (opened !== undefined) return conversations.show(opened);
      const refusal = shown.isBlank ? undefined : conversations.refusal;
      if (refusal !== undefined) return say("note", refusal);
      if (client === undefined) return;
      const chat = client.useChat(undefined, { tenantId });
      const running = (signal: AbortSignal) =>
        resumed(chat, chat.resume(conversationId, { signal }), signal);
      client.chat.conversation({ params: { conversationId }, tenantId }).then((detail) => {
        const { conversation_id: id, workflowId: workflow } = detail;
        conversations.begin().resume(id, detail, { workflow, running });
      }, sayFailure);
    },
    loadOlder: () => {
      if (client === undefined) return;
      const load = (conversationId: string, cursor: string) =>
        client.chat.conversation({ params: { conversationId }, tenantId, query: { cursor } });
      session.loadOlder(load).catch(sayFailure);
    },
  };
}

/** The code of resumed streams is not needed before the first question. */
async function* resumed(
  ...call: Parameters<typeof ResumedAnswer>
): AsyncGenerator<ChatStreamEvent, void, void> {
  const { resumedAnswer } = await import("#client/chat/resumed.ts");
  yield* resumedAnswer(...call);
}

/** Takes the documents that the route names, and the first workflow while none is chosen. */
export function useChatDefaults(): void {
  const route = useRoute();
  const { session, state } = useChat();
  const conversations = usePart(conversationsPart);
  const workflows = useWorkflows();
  const subjects = route.place === "chat" ? route.subjects : undefined;
  useEffect(() => {
    if (subjects !== undefined) conversations.take(subjects);
  }, [conversations, subjects]);
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
  // A failure of the Object Types is the reason why this question is never asked.
  return { ...answer, failure: answer.failure ?? types.failure };
}

/**
 * Loads a page of the user's stored conversations, newest first: always again, since each question
 * may have added one.
 */
export function useConversations() {
  const { client, tenantId } = usePlatform();
  return async (signal: AbortSignal, cursor?: string) => {
    const query = { limit: listed, ...given({ cursor }) };
    const page = await client?.chat.conversations({ tenantId, query, signal });
    return { items: page?.items ?? [], nextCursor: page?.nextCursor || undefined };
  };
}

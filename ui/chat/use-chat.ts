import { useEffect } from "react";
import type { Conversation } from "#client/index.ts";
import { given } from "#lib/given.ts";
import { ChatSession, type ChatState } from "./chat-session.ts";
import { bindingType, keyPairOf } from "../shell/platform/workflow-bindings.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useNotices } from "../shell/notices.ts";
import { useObjectTypes } from "../shell/platform/use-object-types.ts";
import { usePlatform, type Platform } from "../shell/platform/use-platform.ts";
import { useRoute } from "../shell/router.ts";
import { Part, usePart } from "../kit/state/part.ts";
import { Store, useStore } from "../kit/state/store.ts";

/** The conversation of the open workspace: another workspace or user gets another one. */
export class Conversations {
  readonly session: Store<ChatSession>;
  #owner: string;

  constructor(platform: Platform) {
    const { session } = platform.state.get();
    this.session = new Store(new ChatSession(session.workflowKey));
    this.#owner = ownerOf(platform);
    platform.state.subscribe(() => {
      const owner = ownerOf(platform);
      if (owner === this.#owner) return;
      this.#owner = owner;
      this.end();
      this.session.set(new ChatSession(platform.state.get().session.workflowKey));
    });
  }

  end(): void {
    this.session.get().stop();
  }
}

function ownerOf(platform: Platform): string {
  const { session, tenantId } = platform.state.get();
  return JSON.stringify([session.baseUrl, session.user, tenantId, session.workflowKey]);
}

export const conversationsPart = new Part<Conversations>("conversations");

interface Chat {
  readonly state: ChatState;
  readonly session: ChatSession;
  send(message: string): void;
  /** Stops the running answer, here and on the platform. */
  stop(): void;
  open(conversation: Conversation): void;
  /** Loads messages from before the first one, if there are any. */
  loadOlder(): void;
}

export function useChat(): Chat {
  const session = useStore(usePart(conversationsPart).session);
  const { client, tenantId } = usePlatform();
  const { sayFailure } = useNotices();
  const state = useStore(session);
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
      const { conversationId } = session.get();
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
          (detail) => session.resume(detail.conversation_id, detail, detail.workflowId),
          sayFailure,
        );
    },
    loadOlder: () => {
      if (client === undefined) return;
      const load = (conversationId: string, cursor: string) =>
        client.chat.conversation({ params: { conversationId }, tenantId, query: { cursor } });
      session.loadOlder(load).catch(sayFailure);
    },
  };
}

/** Takes the documents that the route names, and the first workflow while none is chosen. */
export function useChatDefaults(): void {
  const route = useRoute();
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

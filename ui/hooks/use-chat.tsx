import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Conversation } from "#client/index.ts";
import { ChatSession, type ChatState } from "../chat-session.ts";
import { keyPairOf } from "../upload-context.ts";
import { useAnswer, type LiveAnswer } from "./use-answer.ts";
import { useNotices } from "./use-notices.tsx";
import { useObjectTypes } from "./use-object-types.ts";
import { usePlatform } from "./use-platform.tsx";

const ChatContext = createContext<ChatSession | undefined>(undefined);

/** Keeps the conversation of the open workspace while other places are looked at. */
export function ChatProvider(props: { readonly children: ReactNode }) {
  const { session } = usePlatform();
  const { workflowKey } = session;
  const tenantId = session.workspace?.id;
  // Another workspace or user: another conversation.
  const chat = useMemo(
    () => ({
      owner: `${session.baseUrl} ${session.user} ${tenantId}`,
      session: new ChatSession(workflowKey),
    }),
    [session.baseUrl, session.user, tenantId, workflowKey],
  ).session;
  useEffect(() => () => chat.stop(), [chat]);
  return <ChatContext value={chat}>{props.children}</ChatContext>;
}

interface Chat {
  readonly state: ChatState;
  readonly session: ChatSession;
  send(message: string): void;
  /** Opens a stored conversation. */
  open(conversation: Conversation): void;
}

export function useChat(): Chat {
  const session = useContext(ChatContext);
  if (session === undefined) throw new Error("useChat needs a ChatProvider above it");
  const platform = usePlatform();
  const { sayFailure } = useNotices();
  const state = useSyncExternalStore(session.subscribe, session.state);
  const tenantId = platform.session.workspace?.id;
  const { client } = platform;
  return {
    state,
    session,
    send: (message) => {
      if (client === undefined) return;
      void session.send(message, (workflow, text, options) =>
        client.useChat(workflow, { tenantId }).stream(text, options),
      );
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

const refreshMs = 60_000;
const bindingType = "vertical-product-config";
const listed = 50;

/** Workflows of the workspace that can be asked: those that are bound to an app. */
export function useWorkflows(): LiveAnswer<readonly string[]> {
  const { session } = usePlatform();
  const types = useObjectTypes();
  const tenantId = session.workspace?.id;
  const bound = types.value?.some((type) => type.slug === bindingType) ?? false;
  return useAnswer(
    ["workflows", String(bound)],
    async (client, signal) => {
      if (!bound) return [];
      const { items } = await client
        .useResources(bindingType, { tenantId })
        .list({ limit: listed, signal });
      return [...new Set(items.flatMap((record) => keyPairOf(record.data)?.workflowKey ?? []))];
    },
    { refreshMs, enabled: tenantId !== undefined && types.value !== undefined },
  );
}

/** The user's stored conversations, newest first. */
export function useConversations(): LiveAnswer<readonly Conversation[]> {
  const { session } = usePlatform();
  const tenantId = session.workspace?.id;
  return useAnswer(
    ["chat.conversations"],
    async (client, signal) =>
      (await client.chat.conversations({ tenantId, query: { limit: listed }, signal })).items,
    { refreshMs, enabled: tenantId !== undefined },
  );
}

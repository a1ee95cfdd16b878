import type { ChatKeys } from "./keys.ts";
import type { KeyHandlers } from "../kit/keys/key-bindings.ts";
import type { ChoicePage } from "../kit/dialogs/questions.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import { fieldText } from "../kit/input/text-field.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useNotices } from "../shell/notices.ts";
import { useRouter } from "../shell/router.ts";
import { usePart } from "../kit/state/part.ts";
import { useStore } from "../kit/state/store.ts";
import { conversationsPart } from "./conversations.ts";
import { citedText, type Message } from "./transcript.ts";
import { useChatExport } from "./use-chat-export.ts";
import { useContext } from "./use-context.ts";
import { useChat, useConversations, useWorkflows } from "./use-chat.ts";
import type { QuestionField } from "./use-question-field.ts";
import type { Transcript } from "./use-transcript.ts";
import { failureReason } from "../kit/answers/failure.ts";
import { ageWords } from "../kit/text/words.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";

/** Handles the keys of the chat, both while a question is written and while answers are read. */
export function useChatKeys(options: {
  readonly question: QuestionField;
  readonly transcript: Transcript;
  readonly height: number;
  readonly focused: boolean;
  readonly writing: boolean;
  readonly setWriting: (writing: boolean) => void;
}): void {
  const { question, transcript, height, focused, writing, setWriting } = options;
  const { scrollToEnd, deselect } = transcript;
  const { back } = useRouter();
  const copy = useCopy();
  const copyCommand = useQuestionCommand(question);
  const { state, send } = useChat();
  const { chooseWorkflow } = useChatChoices();
  const ask = () => {
    const message = fieldText(question.field).trim();
    if (message === "" || state.answering) return;
    if (state.workflow === undefined) return chooseWorkflow();
    question.clear();
    scrollToEnd();
    send(message);
  };
  const recall = (by: number) => {
    if (question.recall(by)) deselect();
  };
  const leave = () => {
    deselect();
    setWriting(false);
  };
  const conversation = useConversationKeys(deselect);
  const { reading, copyCitation } = useReadingKeys(transcript, height);
  const isCiting = reading.openCitation !== undefined;
  useKeys<ChatKeys>(
    "chat",
    {
      ...conversation,
      ...reading,
      copyCitation,
      send: isCiting ? undefined : ask,
      older: (count) => recall(count),
      newer: (count) => recall(-count),
      leave: state.answering ? undefined : leave,
    },
    { active: focused && writing },
  );
  const write = () => setWriting(true);
  const tabs = useTabKeys(question);
  const exportConversation = useChatExport(state);
  const copyText = () => copy(state.messages.at(-1)?.text ?? "");
  const places = { exportConversation, write, copyText, copyCommand, goBack: back };
  useKeys<ChatKeys>("place", { ...conversation, ...tabs, ...places }, { active: !writing });
  useKeys<ChatKeys>(
    "pane",
    {
      ...reading,
      ...scrollKeys(transcript),
      copyCitation,
      write: isCiting ? undefined : write,
      deselect: isCiting ? deselect : undefined,
    },
    { active: focused && !writing },
  );
}

/** The keys of the answers and their sources, both while one reads and while one writes. */
function useReadingKeys(transcript: Transcript, height: number) {
  const { view, selected, scroll, selectCitation } = transcript;
  const { go } = useRouter();
  const copy = useCopy();
  const { state, stop } = useChat();
  const page = Math.max(1, height - 1);
  const hasCitations = view.citations.length > 0;
  const citation = selected?.citation;
  const reading: KeyHandlers<ChatKeys> = {
    pageUp: () => scroll(-page),
    pageDown: () => scroll(page),
    stop: state.answering ? stop : undefined,
    nextCitation: hasCitations ? () => selectCitation(1) : undefined,
    previousCitation: hasCitations ? () => selectCitation(-1) : undefined,
    openCitation:
      citation && (() => go({ place: "documents", documentId: citation.documentId, citation })),
  };
  return { reading, copyCitation: citation && (() => copy(citedText(citation))) };
}

/** The keys of the tabs, each of which has a conversation. */
function useTabKeys(question: QuestionField): KeyHandlers<ChatKeys> {
  const conversations = usePart(conversationsPart);
  const { all, shown } = useStore(conversations.tabs);
  const overlays = useOverlays();
  const isAlone = all.length === 1;
  const close = () => {
    question.clear();
    conversations.close();
  };
  const typed = fieldText(question.field).trim();
  return {
    nextTab: isAlone ? undefined : (count) => conversations.step(count),
    previousTab: isAlone ? undefined : (count) => conversations.step(-count),
    closeConversation:
      isAlone && shown.isBlank
        ? undefined
        : () =>
            typed === ""
              ? close()
              : overlays.confirm({
                  title: "Close the conversation",
                  effects: ["The conversation stays stored", `“${typed}” was not sent: it is lost`],
                  onConfirm: close,
                }),
  };
}

function scrollKeys({ view, scroll }: Transcript): KeyHandlers {
  return {
    up: (count) => scroll(-count),
    down: (count) => scroll(count),
    first: () => scroll(-view.lines.length),
    last: () => scroll(view.lines.length),
  };
}

/** The keys that change the conversation, its documents and its workflow. */
function useConversationKeys(deselect: () => void): KeyHandlers<ChatKeys> {
  const { state, session } = useChat();
  const { say } = useNotices();
  const conversations = usePart(conversationsPart);
  const { chooseConversation, chooseWorkflow } = useChatChoices();
  return {
    newConversation: () => {
      const { refusal } = conversations;
      if (refusal !== undefined) return say("note", refusal);
      deselect();
      conversations.begin();
    },
    conversations: chooseConversation,
    context: useContext(session),
    allDocuments: state.subjects.length > 0 ? () => session.forgetSubjects() : undefined,
    workflow: chooseWorkflow,
  };
}

/** Copies the command of the typed question, else of the last one. */
function useQuestionCommand(question: QuestionField): () => void {
  const copyCommand = useCopyCommand();
  const { say } = useNotices();
  const { state } = useChat();
  const { chooseWorkflow } = useChatChoices();
  return () => {
    const typed = fieldText(question.field).trim();
    const message = typed === "" ? lastQuestion(state.messages) : typed;
    if (message === undefined) return say("note", "write a message first");
    if (state.workflow === undefined) return chooseWorkflow();
    copyCommand.inWorkspace(["chat", "stream", message], {
      workflow: state.workflow,
      "conversation-id": state.conversationId,
      "document-id": state.subjects.map(({ documentId }) => documentId),
    });
  };
}

function lastQuestion(messages: readonly Message[]): string | undefined {
  return messages.findLast((message) => message.role === "you")?.text;
}

function useChatChoices(): { chooseWorkflow(): void; chooseConversation(): void } {
  const { session, state, open } = useChat();
  const overlays = useOverlays();
  const { value: workflows, failure } = useWorkflows();
  const listConversations = useConversations();
  const { say } = useNotices();
  const conversationPage = async (signal: AbortSignal, cursor?: string): Promise<ChoicePage> => {
    const { items, nextCursor } = await listConversations(signal, cursor);
    const choices = items.map((conversation) => ({
      id: conversation.conversation_id,
      words: conversation.title ?? conversation.conversation_id,
      note: ageWords(conversation.updated_at ?? conversation.created_at, Date.now()),
      isCurrent: conversation.conversation_id === state.conversationId,
      choose: () => open(conversation),
    }));
    const more = (next: AbortSignal) => conversationPage(next, nextCursor);
    return nextCursor === undefined ? { choices } : { choices, more };
  };
  const typeWorkflow = () =>
    overlays.ask({
      title: "Workflow",
      words:
        workflows === undefined && failure !== undefined
          ? `The workflows could not be listed: ${failureReason(failure)}. Type the key of the workflow that answers.`
          : "The key of the workflow that answers.",
      initial: state.workflow ?? "",
      placeholder: "workflow-key",
      onAnswer: (key) => session.chooseWorkflow(key),
    });
  return {
    chooseWorkflow: () => {
      if (workflows === undefined || workflows.length === 0) return typeWorkflow();
      overlays.show({
        kind: "choose",
        title: "Workflow that answers",
        placeholder: "a workflow",
        choices: [
          ...workflows.map((key) => ({
            id: key,
            words: key,
            isCurrent: key === state.workflow,
            choose: () => session.chooseWorkflow(key),
          })),
          { id: "another", words: "another workflow …", choose: typeWorkflow },
        ],
      });
    },
    chooseConversation: () =>
      overlays.wait({
        title: "Conversations",
        words: "Loading the conversations",
        ask: async (signal) => {
          const page = await conversationPage(signal);
          if (page.choices.length === 0) return () => say("note", "No conversation is stored yet");
          return () =>
            overlays.choose({ title: "Conversations", placeholder: "words of its title", ...page });
        },
      }),
  };
}

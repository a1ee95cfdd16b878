import { failureReason } from "../kit/answers/failure.ts";
import { ageWords } from "../kit/text/words.ts";
import { useChat, useConversations, useWorkflows } from "./use-chat.tsx";
import { useOverlays } from "../shell/overlays/use-overlays.tsx";

/** Choosing what a chat talks to and which conversation it goes on with. */
export function useChatChoices(): { chooseWorkflow(): void; chooseConversation(): void } {
  const { session, state, open } = useChat();
  const overlays = useOverlays();
  const workflows = useWorkflows();
  const conversations = useConversations();
  const other = () =>
    overlays.show({
      kind: "ask",
      question: {
        title: "Workflow",
        words:
          workflows.value === undefined && workflows.failure !== undefined
            ? `The workflows could not be listed: ${failureReason(workflows.failure)}. The key of the one that shall answer:`
            : "The key of the workflow that shall answer.",
        initial: state.workflow ?? "",
        placeholder: "workflow-key",
        onAnswer: (key) => session.chooseWorkflow(key),
      },
    });
  return {
    chooseWorkflow: () => {
      const known = workflows.value ?? [];
      if (known.length === 0) {
        other();
        return;
      }
      overlays.show({
        kind: "choose",
        title: "Who answers",
        placeholder: "a workflow",
        choices: [
          ...known.map((key) => ({
            id: key,
            words: key,
            beside: key === state.workflow ? "now" : undefined,
            choose: () => session.chooseWorkflow(key),
          })),
          { id: "another", words: "another workflow …", choose: other },
        ],
      });
    },
    chooseConversation: () =>
      overlays.show({
        kind: "choose",
        title: "Conversations",
        placeholder: "words of it",
        choices: (conversations.value ?? []).map((conversation) => ({
          id: conversation.conversation_id,
          words: conversation.title ?? conversation.conversation_id,
          beside: ageWords(conversation.updated_at ?? conversation.created_at, Date.now()),
          choose: () => open(conversation),
        })),
      }),
  };
}

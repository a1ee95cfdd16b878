import { failureReason } from "../kit/answers/failure.ts";
import { ageWords } from "../kit/text/words.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useChat, useConversations, useWorkflows } from "./use-chat.ts";

export function useChatChoices(): { chooseWorkflow(): void; chooseConversation(): void } {
  const { session, state, open } = useChat();
  const overlays = useOverlays();
  const { value: workflows, failure } = useWorkflows();
  const listConversations = useConversations();
  const { say } = useNotices();
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
            note: key === state.workflow ? "now" : undefined,
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
          const conversations = await listConversations(signal);
          const choices = conversations.map((conversation) => ({
            id: conversation.conversation_id,
            words: conversation.title ?? conversation.conversation_id,
            note: ageWords(conversation.updated_at ?? conversation.created_at, Date.now()),
            choose: () => open(conversation),
          }));
          if (choices.length === 0) return () => say("note", "No conversation is stored yet");
          return () =>
            overlays.choose({ title: "Conversations", placeholder: "words of its title", choices });
        },
      }),
  };
}

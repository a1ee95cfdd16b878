import { chatKeys } from "./keys.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { Box } from "ink";
import { useCallback, useState, useSyncExternalStore } from "react";
import { TextInput } from "../kit/input/text-input.tsx";
import { fieldRows } from "../kit/input/text-field.ts";
import { keyName } from "../kit/keys/keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Empty } from "../kit/panes/states.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import type { PaneTabs } from "../kit/panes/tabs.ts";
import { usePart } from "../kit/state/part.ts";
import { useStore } from "../kit/state/store.ts";
import { clipText } from "../kit/text/text-layout.ts";
import { TextLines } from "../kit/text/text-lines.tsx";
import { Area, Line, Paint } from "../kit/theme/paint.tsx";
import { Waiting } from "../kit/panes/waiting.tsx";
import { useRoute } from "../shell/router.ts";
import { ContextChips } from "./chips.tsx";
import type { ChatSession } from "./chat-session.ts";
import { conversationsPart } from "./conversations.ts";
import type { Message } from "./transcript.ts";
import { useChat, useChatDefaults } from "./use-chat.ts";
import { useChatKeys } from "./use-chat-keys.ts";
import { useQuestionField } from "./use-question-field.ts";
import { useTranscript, type Transcript } from "./use-transcript.ts";

const panes = ["chat"];
const maximumInputRows = 5;

export function ChatScreen() {
  const layout = useLayout();
  const { state, loadOlder } = useChat();
  const { focused } = usePanes(panes, { active: false });
  useChatDefaults();
  const isFocused = focused === "chat";
  const width = layout.width - paneBorder;
  const inputWidth = width - 4;
  const question = useQuestionField(state.messages, inputWidth);
  const inputRows = Math.min(maximumInputRows, fieldRows(question.field, inputWidth).length);
  const height = Math.max(1, layout.height - paneBorder - inputRows - 2);
  const transcript = useTranscript(state.messages, { width: width - 2, height }, loadOlder);
  const [writing, setWriting] = useWriting(transcript.selected !== undefined);
  const isTyping = writing && isFocused;
  useChatKeys({ question, transcript, height, focused: isFocused, writing, setWriting });
  const tabs = useTabs();
  return (
    <Pane
      title="Chat"
      tabs={tabs}
      facts={[state.workflow ?? "no workflow chosen"]}
      width={layout.width}
      height={layout.height}
      focused={isFocused}
    >
      <Conversation transcript={transcript} width={width} height={height} />
      <Area height={1}>
        {state.answering ? (
          <Waiting words="answering" />
        ) : state.isLoadingOlder ? (
          <Waiting words="loading older messages" />
        ) : (
          <Line as="quiet">{transcript.below > 0 ? ` ↓ ${transcript.below} more lines` : ""}</Line>
        )}
      </Area>
      <Area height={1}>
        <ContextChips subjects={state.subjects} width={width} />
      </Area>
      <Box height={inputRows} flexShrink={0}>
        <Paint as={isTyping ? "key" : "quiet"}>{" › "}</Paint>
        <Area height={inputRows} width={width - 3}>
          <TextInput
            scope="chat"
            field={question.field}
            width={inputWidth}
            rows={maximumInputRows}
            placeholder={
              writing
                ? placeholderOf(state.messages)
                : `${keyName(chatKeys.write)} writes a question`
            }
            active={isTyping}
            onEdit={(change) => {
              transcript.deselect();
              question.edit(change);
            }}
          />
        </Area>
      </Box>
    </Pane>
  );
}

/**
 * Whether a question is being written. The chat opens for reading, so that `:` and digits are keys;
 * it opens for writing where a document or a question of another place has led to it.
 */
function useWriting(hasSource: boolean) {
  const route = useRoute();
  const isAsked = route.place === "chat" && route.subjects !== undefined;
  return useState(isAsked && !hasSource);
}

const longestName = 24;

function nameOf(session: ChatSession, index: number): string {
  const { title, answering } = session.get();
  const name = clipText(title === "" ? "new" : title, longestName);
  return `${index + 1} ${name}${answering ? " ▶" : ""}`;
}

/** The names of the open conversations, each once; undefined while there is one. */
function useTabs(): PaneTabs | undefined {
  const conversations = usePart(conversationsPart);
  const { all, shown } = useStore(conversations.tabs);
  const follow = useCallback(
    (listener: () => void) => {
      const ends = all.map((session) => session.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [all],
  );
  const names = useSyncExternalStore(follow, () => all.map(nameOf).join("\n")).split("\n");
  const choose = (name: string) => {
    const session = all[names.indexOf(name)];
    if (session !== undefined) conversations.show(session);
  };
  return all.length < 2 ? undefined : { names, open: names[all.indexOf(shown)], choose };
}

function Conversation(props: Size & { readonly transcript: Transcript }) {
  const { transcript, width, height } = props;
  const { view, top } = transcript;
  if (view.lines.length === 0) {
    return (
      <Empty
        width={width}
        height={height}
        words="Ask something about the documents of this workspace."
        next={`Answers quote their sources: ${keyName(chatKeys.nextCitation)} selects the next one, ${keyName(chatKeys.openCitation)} opens it.`}
      />
    );
  }
  return (
    <TextLines
      lines={view.lines.slice(top, top + height).map((line) => [{ text: " " }, ...line])}
      top={0}
      width={width}
      height={height}
    />
  );
}

/** The placeholder of the empty field; after an incomplete answer it says how to ask again. */
function placeholderOf(messages: readonly Message[]): string {
  const last = messages.at(-1);
  const isAnswered =
    last === undefined ||
    (last.role === "assistant" && ["streaming", "complete", "stopped"].includes(last.status));
  return isAnswered
    ? "a question"
    : `a question; ${keyName(commonKeys.older)} brings the last one back`;
}

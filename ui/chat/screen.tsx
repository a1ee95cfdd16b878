import { chatKeys } from "./keys.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { Box } from "ink";
import { TextInput } from "../kit/input/text-input.tsx";
import { fieldRows } from "../kit/input/text-field.ts";
import { keyName } from "../kit/keys/keys.ts";
import type { Size } from "../kit/panes/layout.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Empty } from "../kit/panes/states.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useRemembered } from "../kit/state/use-remembered.ts";
import { clipText } from "../kit/text/text-layout.ts";
import { TextLines } from "../kit/text/text-lines.tsx";
import { Area, Line, Paint } from "../kit/theme/paint.tsx";
import { Waiting } from "../kit/panes/waiting.tsx";
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
  const [writing, setWriting] = useRemembered("chat writing", true);
  useChatDefaults();
  const isFocused = focused === "chat";
  const isTyping = writing && isFocused;
  const width = layout.width - paneBorder;
  const inputWidth = width - 4;
  const question = useQuestionField(state.messages, inputWidth);
  const inputRows = Math.min(maximumInputRows, fieldRows(question.field, inputWidth).length);
  const height = Math.max(1, layout.height - paneBorder - inputRows - 2);
  const transcript = useTranscript(state.messages, { width: width - 2, height }, loadOlder);
  useChatKeys({ question, transcript, height, focused: isFocused, writing, setWriting });
  const { subjects } = state;
  const isAboutAll = subjects.length === 0;
  const about = isAboutAll ? "all documents" : subjects.map(({ name }) => name).join(", ");
  return (
    <Pane
      title="Chat"
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
        <Line>
          {" "}
          <Paint as="quiet">about </Paint>
          <Paint as={isAboutAll ? "quiet" : "marked"}>{clipText(about, width - 12)}</Paint>
        </Line>
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

import { Box } from "ink";
import { useEffect } from "react";
import { commandLine } from "../kit/text/command-line.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Line, Paint } from "../kit/theme/paint.tsx";
import { Empty } from "../kit/panes/states.tsx";
import { TextInput } from "../kit/input/text-input.tsx";
import { TextLines } from "../kit/text/text-lines.tsx";
import { Waiting } from "../kit/theme/waiting.tsx";
import { useChat, useWorkflows } from "./use-chat.tsx";
import { useChatChoices } from "./use-chat-choices.ts";
import { useCopy } from "../shell/use-copy.ts";
import { useRemembered } from "../kit/state/use-remembered.tsx";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useLayout } from "../kit/panes/use-layout.tsx";
import { usePanes } from "../kit/panes/use-panes.tsx";
import { useQuestionField } from "./use-question-field.ts";
import { useRouter } from "../shell/use-router.tsx";
import { useTranscript } from "./use-transcript.ts";
import { keyName } from "../kit/keys/key-table.ts";
import type { KeyHandlers } from "../kit/keys/key-bindings.ts";
import { fieldRows, fieldText } from "../kit/input/text-field.ts";
import { clipText } from "../kit/text/text-layout.ts";
import type { Turn } from "./transcript.ts";

const panes = ["chat"];
const maximumInputRows = 5;

/** Questions to the workspace's documents; answers stream in and cite what they rest on. */
export function ChatScreen() {
  const layout = useLayout();
  const { route, go, back } = useRouter();
  const copy = useCopy();
  const { state, session, send } = useChat();
  const choices = useChatChoices();
  const workflows = useWorkflows();
  const { focused } = usePanes(panes, { active: false });
  const [writing, setWriting] = useRemembered("chat writing", true);

  const subjects = route.place === "chat" ? route.subjects : undefined;
  useEffect(() => {
    if (subjects !== undefined) session.askAbout(subjects);
  }, [session, subjects]);
  const onlyWorkflow = workflows.value?.[0];
  useEffect(() => {
    if (state.workflow === undefined && onlyWorkflow !== undefined) {
      session.chooseWorkflow(onlyWorkflow);
    }
  }, [session, state.workflow, onlyWorkflow]);

  const width = layout.width - paneBorder;
  const inputWidth = width - 4;
  const question = useQuestionField(state.turns, inputWidth);
  const inputRows = Math.min(maximumInputRows, fieldRows(question.field, inputWidth).length);
  const height = Math.max(1, layout.height - paneBorder - inputRows - 2);
  const { view, top, below, place, scroll, walk, release, toEnd } = useTranscript(state.turns, {
    width: width - 2,
    height,
  });

  const ask = () => {
    const message = fieldText(question.field).trim();
    if (message === "" || state.answering) return;
    if (state.workflow === undefined) {
      choices.chooseWorkflow();
      return;
    }
    question.clear();
    toEnd();
    send(message);
  };
  const recall = (by: number) => {
    if (question.recall(by)) release();
  };
  const cite = () => {
    if (place === undefined) return;
    const { citation } = place;
    go({ place: "documents", documentId: citation.documentId, citation });
  };
  const sources = view.citations.length > 0;
  const talking: KeyHandlers = {
    stop: state.answering ? () => session.stop() : undefined,
    nextCitation: sources ? () => walk(1) : undefined,
    previousCitation: sources ? () => walk(-1) : undefined,
    newConversation: () => {
      release();
      session.restart();
    },
    conversations: choices.chooseConversation,
    allDocuments: state.subjects.length > 0 ? () => session.forgetSubjects() : undefined,
    workflow: choices.chooseWorkflow,
    pageUp: () => scroll(-Math.max(1, height - 1)),
    pageDown: () => scroll(Math.max(1, height - 1)),
  };
  const here = focused === "chat";
  useKeys(
    "chat",
    {
      ...talking,
      send: place === undefined ? ask : undefined,
      older: (count) => recall(count),
      newer: (count) => recall(-count),
      openCitation: place === undefined ? undefined : cite,
      leave: state.answering
        ? undefined
        : () => {
            release();
            setWriting(false);
          },
    },
    { active: here && writing },
  );
  useKeys(
    "place",
    {
      write: () => setWriting(true),
      newConversation: talking.newConversation,
      conversations: talking.conversations,
      allDocuments: talking.allDocuments,
      workflow: talking.workflow,
      copyText: () => copy(state.turns.at(-1)?.text ?? ""),
      copyCommand: () =>
        copy(
          commandLine(["chat", "stream", lastQuestion(state.turns)], {
            workflow: state.workflow ?? "",
            "conversation-id": state.conversationId,
          }),
        ),
      goBack: back,
    },
    { active: !writing },
  );
  useKeys(
    "pane",
    {
      up: (count) => scroll(-count),
      down: (count) => scroll(count),
      pageUp: talking.pageUp,
      pageDown: talking.pageDown,
      first: () => scroll(-view.lines.length),
      last: () => scroll(view.lines.length),
      open: place === undefined ? undefined : cite,
    },
    { active: here && !writing },
  );

  const about =
    state.subjects.length === 0
      ? "all documents"
      : state.subjects.map((subject) => subject.name).join(", ");
  return (
    <Pane
      title="Chat"
      facts={[state.workflow ?? "no workflow chosen"]}
      width={layout.width}
      height={layout.height}
      focused={here}
    >
      {state.turns.length === 0 ? (
        <Empty
          width={width}
          height={height}
          words="Ask something about the documents of this workspace."
          next={`Answers quote what they rest on: ${keyName("nextCitation")} walks the sources, ${keyName("openCitation")} opens one.`}
        />
      ) : (
        <TextLines
          lines={view.lines.slice(top, top + height).map((line) => [{ text: " " }, ...line])}
          top={0}
          width={width}
          height={height}
        />
      )}
      <Box height={1} flexShrink={0}>
        {state.answering ? (
          <Waiting words="answering" />
        ) : (
          <Line as="quiet">{below > 0 ? ` ↓ ${below} more lines` : ""}</Line>
        )}
      </Box>
      <Box height={1} flexShrink={0}>
        <Line>
          {" "}
          <Paint as="quiet">about </Paint>
          <Paint as={state.subjects.length === 0 ? "quiet" : "marked"}>
            {clipText(about, width - 12)}
          </Paint>
        </Line>
      </Box>
      <Box height={inputRows} flexShrink={0}>
        <Paint as={writing && here ? "key" : "quiet"}>{" › "}</Paint>
        <Box flexDirection="column" height={inputRows} width={width - 3} overflow="hidden">
          <TextInput
            scope="chat"
            field={question.field}
            width={inputWidth}
            rows={maximumInputRows}
            placeholder={
              writing ? invitation(state.turns) : `${keyName("write")} writes a question`
            }
            active={writing && here}
            onEdit={(change) => {
              release();
              question.edit(change);
            }}
          />
        </Box>
      </Box>
    </Pane>
  );
}

/** What stands in the empty field: also how to ask again where no whole answer came. */
function invitation(turns: readonly Turn[]): string {
  const last = turns.at(-1);
  const isAnswered =
    last === undefined ||
    (last.role === "assistant" && ["streaming", "complete", "stopped"].includes(last.status));
  return isAnswered ? "a question" : `a question; ${keyName("older")} brings the last one back`;
}

function lastQuestion(turns: readonly { readonly role: string; readonly text: string }[]): string {
  return turns.findLast((turn) => turn.role === "you")?.text ?? "a question";
}

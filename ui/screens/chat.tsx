import { Box } from "ink";
import { useEffect, useMemo, useState } from "react";
import { commandLine } from "../command-line.ts";
import { Pane, paneBorder } from "../components/pane.tsx";
import { Line, Paint } from "../components/paint.tsx";
import { Empty } from "../components/states.tsx";
import { TextInput } from "../components/text-input.tsx";
import { TextLines } from "../components/text-lines.tsx";
import { Waiting } from "../components/waiting.tsx";
import { useChat, useWorkflows } from "../hooks/use-chat.tsx";
import { useChatChoices } from "../hooks/use-chat-choices.ts";
import { useCopy } from "../hooks/use-copy.ts";
import { useColours } from "../hooks/use-environment.tsx";
import { useKept } from "../hooks/use-kept.tsx";
import { useKeys } from "../hooks/use-keys.tsx";
import { useLayout } from "../hooks/use-layout.tsx";
import { usePanes } from "../hooks/use-panes.tsx";
import { useRouter } from "../hooks/use-router.tsx";
import { keyName } from "../keys.ts";
import type { KeyHandlers } from "../key-bindings.ts";
import { fieldRows, fieldText, moveRows, textField } from "../text-field.ts";
import { clipText } from "../text-layout.ts";
import { TranscriptLines } from "../transcript.ts";

const panes = ["chat"];
const maximumInputRows = 5;
const emptyField = textField();
/** No earlier question stands in the field; `typed` is what stood there before one did. */
const nothingRecalled = { at: -1, typed: "" };

/** Questions to the workspace's documents; answers stream in and cite what they rest on. */
export function ChatScreen() {
  const layout = useLayout();
  const { route, go, back } = useRouter();
  const copy = useCopy();
  const colours = useColours();
  const { state, session, send } = useChat();
  const choices = useChatChoices();
  const workflows = useWorkflows();
  const { focused } = usePanes(panes, { active: false });
  const [field, setField] = useKept("chat field", emptyField);
  const [writing, setWriting] = useKept("chat writing", true);
  const [recalled, setRecalled] = useKept("chat recalled", nothingRecalled);
  const [chosen, setChosen] = useKept<number | undefined>("chat citation", undefined);
  const [above, setAbove] = useKept("chat above", 0);
  const [transcript] = useState(() => new TranscriptLines());

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
  const view = useMemo(
    () => transcript.view(state.turns, width - 2, colours, chosen),
    [transcript, state.turns, width, colours, chosen],
  );
  const inputWidth = width - 4;
  const inputRows = Math.min(maximumInputRows, fieldRows(field, inputWidth).length);
  const height = Math.max(1, layout.height - paneBorder - inputRows - 2);
  const lowest = Math.max(0, view.lines.length - height);
  const place = chosen === undefined ? undefined : view.citations[chosen];
  const top =
    place === undefined
      ? Math.max(0, lowest - above)
      : Math.max(0, Math.min(lowest, place.line - Math.floor(height / 2)));

  const scroll = (by: number) => {
    setChosen(undefined);
    setAbove(Math.max(0, Math.min(lowest, lowest - top - by)));
  };
  const walk = (by: number) => {
    const count = view.citations.length;
    if (count === 0) return;
    // The newest answer's first source comes first: that is the one just read.
    const firstOfLast = state.turns.at(-1)?.citations.length ?? 0;
    const start = Math.max(0, count - Math.max(1, firstOfLast));
    setChosen((now) => (now === undefined ? start : (now + by + count) % count));
  };
  const ask = () => {
    const message = fieldText(field).trim();
    if (message === "" || state.answering) return;
    if (state.workflow === undefined) {
      choices.chooseWorkflow();
      return;
    }
    setField(emptyField);
    setRecalled(nothingRecalled);
    setAbove(0);
    send(message);
  };
  // Newest first; one that failed is asked again by bringing it back.
  const questions = state.turns.filter(({ role }) => role === "you").toReversed();
  const recall = (by: number) => {
    const rows = moveRows(field, -Math.sign(by), inputWidth);
    if (rows !== undefined && recalled.at === -1) {
      setField(rows);
      return;
    }
    const typed = recalled.at === -1 ? fieldText(field) : recalled.typed;
    const at = Math.max(-1, Math.min(recalled.at + by, questions.length - 1));
    if (at === recalled.at) return;
    setChosen(undefined);
    setRecalled({ at, typed });
    setField(textField(at === -1 ? typed : (questions[at]?.text ?? "")));
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
      setChosen(undefined);
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
            setChosen(undefined);
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
          <Line as="quiet">{top < lowest ? ` ↓ ${lowest - top} more lines` : ""}</Line>
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
            field={field}
            width={inputWidth}
            rows={maximumInputRows}
            placeholder={writing ? "a question" : `${keyName("write")} writes a question`}
            active={writing && here}
            onEdit={(change) => {
              setChosen(undefined);
              setRecalled(nothingRecalled);
              setField(change);
            }}
          />
        </Box>
      </Box>
    </Pane>
  );
}

function lastQuestion(turns: readonly { readonly role: string; readonly text: string }[]): string {
  return turns.findLast((turn) => turn.role === "you")?.text ?? "a question";
}

import { commonKeys } from "../keys/base-keys.ts";
import { useState } from "react";
import { PromptField } from "../input/text-input.tsx";
import { fieldText, textField } from "../input/text-field.ts";
import { keyName } from "../keys/keys.ts";
import { useKeys } from "../keys/use-keys.ts";
import { wrapText } from "../text/text-layout.ts";
import { Line, Lines, Paint } from "../theme/paint.tsx";
import { Overlay, type DialogProps } from "./overlay.tsx";
import type { Question } from "./questions.ts";

/** Text that a question shows: one that is too long is scrolled, but for its last effect. */
interface QuestionText {
  readonly effects: readonly string[];
  /** The last effect says whether there is an undo. */
  readonly last: readonly string[];
  readonly command: readonly string[];
}

/** Lines of a long command that are shown before a key asks for all of them. */
const commandRows = 4;

/** The command in lines; a long one is cut, and its last line names the key that shows it whole. */
function commandLines(command: string, width: number, isWhole: boolean): readonly string[] {
  const lines = wrapText(command, width);
  if (isWhole || lines.length <= commandRows + 1) return lines;
  const hint = `… ${keyName(commonKeys.wholeCommand)} shows all ${lines.length} lines`;
  return [...lines.slice(0, commandRows), hint];
}

function textOf(
  { effects, command = "" }: Question,
  width: number,
  isWhole: boolean,
): QuestionText {
  const wrapped = effects.map((effect) => wrapText(`· ${effect}`, width));
  return {
    effects: wrapped.slice(0, -1).flat(),
    last: wrapped.at(-1) ?? [],
    command: commandLines(command, width, isWhole),
  };
}

/** The effects and the command in `room` lines; arrows scroll them where they are more. */
function useQuestionLines(question: Question, width: number, room: number) {
  const [isCommandWhole, setCommandWhole] = useState(false);
  const { effects, last, command } = textOf(question, width, isCommandWhole);
  const [moved, setTop] = useState(0);
  const count = effects.length + command.length;
  const isWhole = count + last.length <= room;
  const visible = isWhole ? count : Math.max(1, room - last.length - 1);
  const lowest = Math.max(0, count - visible);
  const top = Math.min(moved, lowest);
  const scroll = (by: number) => setTop(Math.max(0, Math.min(top + by, lowest)));
  useKeys(
    "dialog",
    { up: (lines) => scroll(-lines), down: (lines) => scroll(lines) },
    { active: !isWhole },
  );
  useKeys("dialog", { wholeCommand: () => setCommandWhole((now) => !now) });
  const end = top + visible;
  return {
    height: visible + last.length + (isWhole ? 0 : 1),
    effects: effects.slice(top, end),
    command: command.slice(Math.max(0, top - effects.length), Math.max(0, end - effects.length)),
    last,
    hint: isWhole ? undefined : `↑ ↓ ${top + 1} to ${end} of ${count} lines`,
  };
}

/** Asks before something is removed: its effects, the command, and for some a name to type. */
export function ConfirmDialog(
  props: DialogProps & {
    readonly question: Question;
    readonly onCopy: (command: string) => void;
  },
) {
  const { question, onClose, onCopy, ...area } = props;
  const [field, setField] = useState(() => textField());
  const width = Math.min(72, area.columns);
  const inner = width - 4;
  const { typed, command } = question;
  // The rows of border, blank line and question are always visible.
  const otherRows = 2 + (typed === undefined ? 3 : 4);
  const shown = useQuestionLines(question, inner, area.rows - otherRows);
  const confirm = () => {
    onClose();
    question.onConfirm();
  };
  const copyCommand = command === undefined ? undefined : () => onCopy(command);
  const answers = typed === undefined ? { confirm, refuse: onClose } : {};
  useKeys("dialog", { ...answers, copyCommand });
  const ready = typed === undefined || fieldText(field).trim() === typed;
  const height = shown.height + otherRows;
  return (
    <Overlay {...area} title={question.title} width={width} height={height}>
      {shown.hint === undefined ? (
        <>
          <Lines lines={[...shown.effects, ...shown.last]} as="bad" margin={1} />
          <Line> </Line>
          <Lines lines={shown.command} as="quiet" margin={1} />
        </>
      ) : (
        <>
          <Lines lines={shown.effects} as="bad" margin={1} />
          <Lines lines={shown.command} as="quiet" margin={1} />
          <Line as="quiet"> {shown.hint}</Line>
          <Lines lines={shown.last} as="bad" margin={1} />
          <Line> </Line>
        </>
      )}
      {typed === undefined ? (
        <Line>
          {" "}
          <Paint as="key">{keyName(commonKeys.confirm)}</Paint> yes{" "}
          <Paint as="key">{keyName(commonKeys.refuse)}</Paint> no
        </Line>
      ) : (
        <>
          <Line as={ready ? "good" : "text"}>
            {" "}
            Type {typed} to do it, {keyName(commonKeys.cancel)} to leave it
          </Line>
          <PromptField
            scope="dialog"
            field={field}
            width={inner - 4}
            onEdit={setField}
            onSubmit={ready ? confirm : undefined}
            onCancel={onClose}
          />
        </>
      )}
    </Overlay>
  );
}

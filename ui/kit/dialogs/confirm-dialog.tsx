import { commonKeys } from "../keys/base-keys.ts";
import { useState } from "react";
import { counted } from "#lib/text/counted.ts";
import { PromptField } from "../input/text-input.tsx";
import { fieldText, textField } from "../input/text-field.ts";
import { keyName } from "../keys/keys.ts";
import { useKeys } from "../keys/use-keys.ts";
import { wrapText } from "../text/text-layout.ts";
import { Line, Lines, Paint } from "../theme/paint.tsx";
import { Overlay, type DialogProps } from "./overlay.tsx";
import type { Question } from "./questions.ts";

const leastCommandRows = 3;

/** The effects in `room` lines; the last one stays, since it says whether there is an undo. */
function effectLines(effects: readonly string[], width: number, room: number): string[] {
  const wrapped = effects.map((effect) => wrapText(`· ${effect}`, width));
  const last = wrapped.at(-1) ?? [];
  const others = wrapped.slice(0, -1).flat();
  if (others.length + last.length <= room) return [...others, ...last];
  const shown = others.slice(0, Math.max(0, room - last.length - 1));
  return [...shown, `… ${counted(others.length - shown.length, "line")} more`, ...last];
}

/** The command in `room` lines; a part of one line would only confuse. */
function firstLinesOf(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  if (room < leastCommandRows) return [];
  const shown = lines.slice(0, room - 1);
  return [...shown, `… ${counted(lines.length - shown.length, "line")} more`];
}

/** Asks before something is removed: its effects, the command, and for some a name to type. */
export function ConfirmDialog(props: DialogProps & { readonly question: Question }) {
  const { question, onClose, ...area } = props;
  const [field, setField] = useState(() => textField());
  const width = Math.min(72, area.columns);
  const inner = width - 4;
  const { typed } = question;
  // The rows of border, blank line and question are always visible.
  const otherRows = 2 + (typed === undefined ? 3 : 4);
  const room = area.rows - otherRows;
  const effects = effectLines(question.effects, inner, room);
  const commandLines = wrapText(question.command ?? "", inner);
  const command = firstLinesOf(commandLines, room - effects.length);
  const confirm = () => {
    onClose();
    question.onConfirm();
  };
  useKeys("dialog", typed === undefined ? { confirm, refuse: onClose } : {});
  const ready = typed === undefined || fieldText(field).trim() === typed;
  const height = effects.length + command.length + otherRows;
  return (
    <Overlay {...area} title={question.title} width={width} height={height}>
      <Lines lines={effects} as="bad" margin={1} />
      <Line> </Line>
      <Lines lines={command} as="quiet" margin={1} />
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

import type { Question } from "./questions.ts";
import { useState } from "react";
import { counted } from "#lib/counted.ts";
import { useKeys } from "../keys/use-keys.tsx";
import { keyName } from "../keys/key-table.ts";
import { fieldText, textField } from "../input/text-field.ts";
import { wrapText } from "../text/text-layout.ts";
import { Overlay, type DialogProps } from "./overlay.tsx";
import { Area, Line, Lines, Paint } from "../theme/paint.tsx";
import { PromptField } from "../input/prompt-field.tsx";

/** What would be done, in so many lines; the last of it, which says whether it can be undone, stays. */
function effectLines(effects: readonly string[], width: number, room: number): string[] {
  const wrapped = effects.map((effect) => wrapText(`· ${effect}`, width));
  const last = wrapped.at(-1) ?? [];
  const others = wrapped.slice(0, -1).flat();
  const over = others.length + last.length - room;
  if (over <= 0) return [...others, ...last];
  const shown = others.slice(0, Math.max(0, room - last.length - 1));
  return [...shown, `… ${counted(others.length - shown.length, "line")} more`, ...last];
}

/** Asks before something is removed: names it, shows the command, and wants its name typed. */
export function ConfirmDialog(props: DialogProps & { readonly question: Question }) {
  const { question, columns, rows, onClose } = props;
  const [field, setField] = useState(() => textField());
  const width = Math.min(72, columns);
  const inner = width - 4;
  const { typed } = question;
  // Borders, blank line and question: what is asked stands there however much is named.
  const room = rows - 2 - (typed === undefined ? 3 : 4);
  const effects = effectLines(question.effects, inner, room);
  const told = wrapText(question.command ?? "", inner);
  const command = effects.length + told.length > room ? [] : told;
  const confirm = () => {
    onClose();
    question.onConfirm();
  };
  useKeys("dialog", typed === undefined ? { confirm, refuse: onClose } : {});
  const ready = typed === undefined || fieldText(field).trim() === typed;
  const height = 2 + effects.length + command.length + (typed === undefined ? 3 : 4);
  return (
    <Overlay title={question.title} columns={columns} rows={rows} width={width} height={height}>
      <Area height={height - 2}>
        <Lines lines={effects} as="bad" margin={1} />
        <Line> </Line>
        <Lines lines={command} as="quiet" margin={1} />
        {typed === undefined ? (
          <Line>
            {" "}
            <Paint as="key">{keyName("confirm")}</Paint> yes{" "}
            <Paint as="key">{keyName("refuse")}</Paint> no
          </Line>
        ) : (
          <>
            <Line as={ready ? "good" : "text"}>
              {" "}
              Type {typed} to do it, {keyName("cancel")} to leave it
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
      </Area>
    </Overlay>
  );
}

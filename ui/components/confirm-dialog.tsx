import { useState } from "react";
import { useKeys } from "../hooks/use-keys.tsx";
import { keyName } from "../keys.ts";
import { fieldText, textField } from "../text-field.ts";
import { wrapText } from "../text-layout.ts";
import { Overlay, type DialogProps } from "./overlay.tsx";
import { Area, Line, Lines, Paint } from "./paint.tsx";
import { PromptField } from "./prompt-field.tsx";

export interface Question {
  /** What would be done, e.g. `Delete document DOC-2026-000042`. */
  readonly title: string;
  /** What it removes or changes, one line each. */
  readonly effects: readonly string[];
  /** The command that does the same, where there is one. */
  readonly command?: string | undefined;
  /** To be typed before it is done, where it can't be undone. */
  readonly typed?: string | undefined;
  readonly onConfirm: () => void;
}

/** Asks before something is removed: names it, shows the command, and wants its name typed. */
export function ConfirmDialog(props: DialogProps & { readonly question: Question }) {
  const { question, columns, rows, onClose } = props;
  const [field, setField] = useState(() => textField());
  const width = Math.min(72, columns);
  const inner = width - 4;
  const effects = question.effects.flatMap((effect) => wrapText(`· ${effect}`, inner));
  const command = wrapText(question.command ?? "", inner);
  const { typed } = question;
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

import { useState } from "react";
import { PromptField } from "../input/text-input.tsx";
import { fieldText, textField } from "../input/text-field.ts";
import { useKeys } from "../keys/use-keys.ts";
import { wrapText } from "../text/text-layout.ts";
import { Line, Lines } from "../theme/paint.tsx";
import { Overlay, type DialogProps } from "./overlay.tsx";
import type { TextQuestion } from "./questions.ts";

export function AskDialog(
  props: DialogProps & {
    readonly question: TextQuestion;
    readonly onCopy: (command: string) => void;
  },
) {
  const { question, onClose, onCopy, ...area } = props;
  const { command } = question;
  useKeys("dialog", { copyCommand: command === undefined ? undefined : () => onCopy(command) });
  const [field, setField] = useState(() => textField(question.initial));
  const width = Math.min(72, area.columns);
  const inner = width - 4;
  const words = wrapText(question.words, inner);
  const text = fieldText(field).trim();
  const problem = question.problemOf?.(text);
  return (
    <Overlay {...area} title={question.title} width={width} height={words.length + 5}>
      <Lines lines={words} as="quiet" margin={1} />
      <PromptField
        scope="dialog"
        field={field}
        width={inner - 4}
        placeholder={question.placeholder}
        onEdit={setField}
        onSubmit={() => {
          if (problem !== undefined) return;
          if (text === "" && question.isOptional !== true) return;
          onClose();
          question.onAnswer(text);
        }}
        onCancel={onClose}
      />
      <Line as="warn"> {text === "" ? "" : (problem ?? "")}</Line>
    </Overlay>
  );
}

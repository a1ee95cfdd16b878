import type { TextQuestion } from "./questions.ts";
import { useState } from "react";
import { fieldText, textField } from "../input/text-field.ts";
import { wrapText } from "../text/text-layout.ts";
import { Overlay, type DialogProps } from "./overlay.tsx";
import { Area, Line, Lines } from "../theme/paint.tsx";
import { PromptField } from "../input/prompt-field.tsx";

/** Asks for one line of text. */
export function AskDialog(props: DialogProps & { readonly question: TextQuestion }) {
  const { question, columns, rows, onClose } = props;
  const [field, setField] = useState(() => textField(question.initial));
  const width = Math.min(72, columns);
  const inner = width - 4;
  const words = wrapText(question.words, inner);
  const text = fieldText(field).trim();
  const problem = question.problemOf?.(text);
  const height = words.length + 5;
  return (
    <Overlay title={question.title} columns={columns} rows={rows} width={width} height={height}>
      <Area height={height - 2}>
        <Lines lines={words} as="quiet" margin={1} />
        <PromptField
          scope="dialog"
          field={field}
          width={inner - 4}
          placeholder={question.placeholder}
          onEdit={setField}
          onSubmit={() => {
            if (problem !== undefined || text === "") return;
            onClose();
            question.onAnswer(text);
          }}
          onCancel={onClose}
        />
        <Line as="warn"> {text === "" ? "" : (problem ?? "")}</Line>
      </Area>
    </Overlay>
  );
}

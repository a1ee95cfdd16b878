import { Box } from "ink";
import { useState } from "react";
import { fieldText, textField } from "../text-field.ts";
import { wrapText } from "../text-layout.ts";
import { Overlay } from "./overlay.tsx";
import { Area, Line, Paint } from "./paint.tsx";
import { TextInput } from "./text-input.tsx";

export interface TextQuestion {
  readonly title: string;
  /** What the answer is for. */
  readonly words: string;
  readonly initial: string;
  readonly placeholder: string;
  /** Why an answer can't be taken. */
  readonly problemOf?: ((text: string) => string | undefined) | undefined;
  readonly onAnswer: (text: string) => void;
}

/** Asks for one line of text. */
export function AskDialog(props: {
  readonly question: TextQuestion;
  readonly columns: number;
  readonly rows: number;
  readonly onClose: () => void;
}) {
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
        {words.map((line, index) => (
          <Line key={index} as="quiet">
            {" "}
            {line}
          </Line>
        ))}
        <Box height={1} flexShrink={0}>
          <Paint as="key">{" › "}</Paint>
          <TextInput
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
        </Box>
        <Line as="warn"> {text === "" ? "" : (problem ?? "")}</Line>
      </Area>
    </Overlay>
  );
}

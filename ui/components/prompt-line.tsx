import { Box } from "ink";
import { useState } from "react";
import { fieldText, textField } from "../text-field.ts";
import { textWidth } from "../text-layout.ts";
import { Paint } from "./paint.tsx";
import { TextInput } from "./text-input.tsx";

export interface PromptLineProps {
  readonly label: string;
  readonly initial: string;
  readonly placeholder: string;
  readonly width: number;
  /** Why what is typed can't be used yet. */
  readonly problemOf?: (text: string) => string | undefined;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
}

/** One line to type in, such as a filter; says at once what is wrong with it. */
export function PromptLine(props: PromptLineProps) {
  const { label, width, problemOf, onSubmit, onCancel } = props;
  const [field, setField] = useState(() => textField(props.initial));
  const text = fieldText(field);
  const problem = problemOf?.(text);
  const room = width - textWidth(label) - 3;
  return (
    <Box flexDirection="column" flexShrink={0} height={2} width={width} overflow="hidden">
      <Box height={1} flexShrink={0}>
        <Paint as="key"> {label} </Paint>
        <TextInput
          scope="input"
          field={field}
          width={room}
          placeholder={props.placeholder}
          onEdit={setField}
          onSubmit={() => {
            if (problem === undefined) onSubmit(text);
          }}
          onCancel={onCancel}
        />
      </Box>
      <Paint as={problem === undefined ? "quiet" : "warn"}> {problem ?? ""}</Paint>
    </Box>
  );
}

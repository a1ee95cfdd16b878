import { Box } from "ink";
import { Paint } from "../theme/paint.tsx";
import { TextInput, type TextInputProps } from "./text-input.tsx";

/** One line to type in, behind a sign of three columns that asks for it. */
export function PromptField(props: TextInputProps) {
  return (
    <Box height={1} flexShrink={0}>
      <Paint as="key">{" › "}</Paint>
      <TextInput {...props} />
    </Box>
  );
}

import { Box } from "ink";
import { Text } from "../theme/text.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { useColours, useStyle } from "../theme/use-look.tsx";
import type { Scope } from "../keys/keys.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import {
  erasures,
  fieldRows,
  fieldWindow,
  insertText,
  jumps,
  moveCursor,
  roomProblem,
  shownGrapheme,
  type FieldRow,
  type TextField,
} from "./text-field.ts";
import { Line, Paint } from "../theme/paint.tsx";

export interface TextInputProps {
  /** Scope of the keys, that of the surrounding form or dialog. */
  readonly scope: Scope;
  readonly field: TextField;
  /** Gets a change as a function of the field, so that a burst of keys loses none. */
  readonly onEdit: (change: (field: TextField) => TextField) => void;
  readonly onSubmit?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly width: number;
  /** Visible rows of a text of several lines; one line without it. */
  readonly rows?: number;
  readonly placeholder?: string;
  readonly active?: boolean;
  /** The wrong part of the text. */
  readonly fault?: Graphemes | undefined;
}

/** Indexes of graphemes, the end excluded. */
interface Graphemes {
  readonly start: number;
  readonly end: number;
}

interface FieldLineProps {
  readonly row: FieldRow;
  readonly showCursor: boolean;
  readonly fault: Graphemes | undefined;
}

function FieldLine({ row, showCursor, fault }: FieldLineProps) {
  const { cursor } = row;
  const graphemes = row.graphemes.map(shownGrapheme);
  const style = useStyle("selected");
  const faultStyle = useStyle("fault");
  const colours = useColours();
  const part = (from: number, to: number) => {
    const text = graphemes.slice(from, to).join("");
    const [start, end] = [(fault?.start ?? 0) - row.start, (fault?.end ?? 0) - row.start];
    if (fault === undefined || end <= from || start >= to) return text;
    const split = (at: number) => Math.max(from, Math.min(at, to));
    return (
      <Text>
        {graphemes.slice(from, split(start)).join("")}
        <Text {...faultStyle}>{graphemes.slice(split(start), split(end)).join("")}</Text>
        {graphemes.slice(split(end), to).join("")}
      </Text>
    );
  };
  if (cursor === undefined || !showCursor) {
    return <Line>{graphemes.length === 0 ? " " : part(0, graphemes.length)}</Line>;
  }
  return (
    <Line>
      {part(0, cursor)}
      {colours ? null : "▏"}
      <Text {...style}>{graphemes[cursor] ?? " "}</Text>
      {part(cursor + 1, graphemes.length)}
    </Line>
  );
}

/** A field to type in, with paste and keys for words and lines; its cursor is a drawn cell. */
export function TextInput(props: TextInputProps) {
  const { scope, field, onEdit, onSubmit, onCancel, width, rows = 1, active = true } = props;
  const several = rows > 1;
  const lined = (text: string) => (several ? text : text.replace(/\n+/g, " "));
  const handlers: KeyHandlers = {
    cursorLeft: (count) => onEdit((now) => moveCursor(now, -count)),
    cursorRight: (count) => onEdit((now) => moveCursor(now, count)),
    wordLeft: () => onEdit(jumps.wordLeft),
    wordRight: () => onEdit(jumps.wordRight),
    lineStart: () => onEdit(jumps.lineStart),
    lineEnd: () => onEdit(jumps.lineEnd),
    eraseLeft: (count) => onEdit((now) => erasures.left(now, count)),
    eraseRight: (count) => onEdit((now) => erasures.right(now, count)),
    eraseWord: () => onEdit(erasures.word),
    eraseToStart: () => onEdit(erasures.toStart),
    eraseToEnd: () => onEdit(erasures.toEnd),
    newline: several ? () => onEdit((now) => insertText(now, "\n")) : undefined,
    submit: onSubmit,
    cancel: onCancel,
  };
  useKeys(scope, handlers, {
    active,
    text: (text) => onEdit((now) => insertText(now, lined(text))),
    textProblem: (text) => roomProblem(field, lined(text)),
  });
  if (field.graphemes.length === 0 && props.placeholder !== undefined) {
    return (
      <Line>
        {active ? <Paint as="selected"> </Paint> : null}
        <Paint as="quiet">{props.placeholder}</Paint>
      </Line>
    );
  }
  const { fault } = props;
  if (!several) {
    return <FieldLine row={fieldWindow(field, width)} showCursor={active} fault={fault} />;
  }
  const all = fieldRows(field, width);
  const cursorRow = all.findIndex((row) => row.cursor !== undefined);
  const top = Math.max(0, Math.min(cursorRow - rows + 1, all.length - rows));
  return all
    .slice(top, top + rows)
    .map((row, index) => (
      <FieldLine key={top + index} row={row} showCursor={active} fault={fault} />
    ));
}

/** A field of one line after a prompt sign of three columns. */
export function PromptField(props: TextInputProps) {
  return (
    <Box height={1} flexShrink={0}>
      <Paint as="key">{" › "}</Paint>
      <TextInput {...props} />
    </Box>
  );
}

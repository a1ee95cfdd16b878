import { Text } from "ink";
import { useColours } from "../hooks/use-editor.tsx";
import { useKeys } from "../hooks/use-keys.tsx";
import { useStyle } from "../hooks/use-theme.tsx";
import type { KeyHandlers, Scope } from "../keys.ts";
import {
  erasures,
  fieldRows,
  fieldWindow,
  insertText,
  jumps,
  moveCursor,
  shownGrapheme,
  type FieldRow,
  type TextField,
} from "../text-field.ts";
import { Line, Paint } from "./paint.tsx";

export interface TextInputProps {
  /** Whose keys it takes: the scope of what it stands in. */
  readonly scope: Scope;
  readonly field: TextField;
  /** Hears every change, as a function of the field so that no key of a burst is lost. */
  readonly onEdit: (change: (field: TextField) => TextField) => void;
  readonly onSubmit?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly width: number;
  /** Rows for a text of several lines; one line without it. */
  readonly rows?: number;
  readonly placeholder?: string;
  readonly active?: boolean;
}

function FieldLine(props: { readonly row: FieldRow; readonly showCursor: boolean }) {
  const { cursor } = props.row;
  const graphemes = props.row.graphemes.map(shownGrapheme);
  const style = useStyle("selected");
  const colours = useColours();
  if (cursor === undefined || !props.showCursor) return <Line>{graphemes.join("") || " "}</Line>;
  return (
    <Line>
      {graphemes.slice(0, cursor).join("")}
      {colours ? null : "▏"}
      <Text {...style}>{graphemes[cursor] ?? " "}</Text>
      {graphemes.slice(cursor + 1).join("")}
    </Line>
  );
}

/** A field to type in: by grapheme, with paste, words and lines. Its cursor is a drawn cell. */
export function TextInput(props: TextInputProps) {
  const { scope, field, onEdit, onSubmit, onCancel, width, rows = 1, active = true } = props;
  const several = rows > 1;
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
    text: (text) => onEdit((now) => insertText(now, several ? text : text.replace(/\n+/g, " "))),
  });
  if (field.graphemes.length === 0 && props.placeholder !== undefined) {
    return (
      <Line>
        {active ? <Paint as="selected"> </Paint> : null}
        <Paint as="quiet">{props.placeholder}</Paint>
      </Line>
    );
  }
  if (!several) return <FieldLine row={fieldWindow(field, width)} showCursor={active} />;
  const all = fieldRows(field, width);
  const cursorRow = all.findIndex((row) => row.cursor !== undefined);
  const top = Math.max(0, Math.min(cursorRow - rows + 1, all.length - rows));
  return all
    .slice(top, top + rows)
    .map((row, index) => <FieldLine key={top + index} row={row} showCursor={active} />);
}

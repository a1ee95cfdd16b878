import { Text } from "ink";
import { useColours } from "../state/use-environment.tsx";
import { useKeys } from "../keys/use-keys.tsx";
import { useStyle } from "../theme/use-theme.tsx";
import type { Scope } from "../keys/key-table.ts";
import type { KeyHandlers } from "../keys/key-bindings.ts";
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
} from "./text-field.ts";
import { Line, Paint } from "../theme/paint.tsx";

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
  /** What is wrong in it, drawn as such. */
  readonly fault?: Graphemes | undefined;
}

/** Places of graphemes in the field, the end excluded. */
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
      <>
        {graphemes.slice(from, split(start)).join("")}
        <Text {...faultStyle}>{graphemes.slice(split(start), split(end)).join("")}</Text>
        {graphemes.slice(split(end), to).join("")}
      </>
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

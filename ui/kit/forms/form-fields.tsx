import { Box } from "ink";
import { isLong, type FormField } from "./form-field.ts";
import {
  lockedReason,
  longTextAt,
  type FormState,
  type FormSubject,
  type PlacedFaults,
} from "./form-model.ts";
import type { Span, StyledLine } from "../text/styled-lines.ts";
import { fieldRows, fieldText, shownGrapheme, type TextField } from "../input/text-field.ts";
import { clipText, fitText, textWidth, wrapText } from "../text/text-layout.ts";
import { countWords } from "../text/words.ts";
import { Area, Line } from "../theme/paint.tsx";
import { TextInput } from "../input/text-input.tsx";
import { TextLines } from "../text/text-lines.tsx";

const smallFields = 4;

/** Whether a form is a dialog over the screen instead of a whole screen. */
export function isSmallForm({ fields }: FormSubject): boolean {
  return fields.length <= smallFields && !fields.some(isLong);
}

export interface FormWidths {
  readonly label: number;
  readonly value: number;
}

const longestLabel = 26;
const gutter = 2;
const gap = 2;
/** Lines of the help of the current field. */
const helpRows = 2;
/** Rows of a long text, with and without the cursor. */
const typedRows = 8;
const shownRows = 3;

export function formWidths({ subject }: FormState, width: number): FormWidths {
  const widest = Math.max(0, ...subject.fields.map((field) => textWidth(labelOf(field))));
  const label = Math.min(widest, longestLabel, Math.floor(width / 3));
  return { label, value: Math.max(1, width - label - gutter - gap - 1) };
}

function labelOf(field: FormField): string {
  return field.isRequired ? `${field.label} *` : field.label;
}

// Wraps a text once, not once per frame.
const rowCache = new WeakMap<TextField, { width: number; rows: number }>();

function rowCount(input: TextField, width: number): number {
  const cached = rowCache.get(input);
  if (cached?.width === width) return cached.rows;
  const rows = fieldRows(input, width).length;
  rowCache.set(input, { width, rows });
  return rows;
}

function valueRows(field: FormField, input: TextField, typed: boolean, width: number): number {
  if (!isLong(field)) return 1;
  const rows = rowCount(input, width);
  return typed ? Math.max(2, Math.min(rows, typedRows)) : Math.min(rows, shownRows);
}

/** The first visible field, so that field `at` is visible and no row below the last is free. */
export function firstShown(heights: readonly number[], at: number, room: number): number {
  const heightOf = (index: number) => heights[index] ?? 0;
  let top = at;
  const fillAbove = (used: number, limit: number) => {
    let total = used;
    while (top > 0 && total + heightOf(top - 1) <= limit) {
      top -= 1;
      total += heightOf(top);
    }
  };
  fillAbove(heightOf(at), Math.max(heightOf(at), Math.floor(room * 0.66)));
  const below = heights.slice(top).reduce((sum, height) => sum + height, 0);
  fillAbove(below, room);
  return top;
}

function firstHidden(heights: readonly number[], top: number, room: number): number {
  let end = top;
  for (let used = 0; end < heights.length && used < room; end += 1) used += heights[end] ?? 0;
  return end;
}

interface FormFieldsProps {
  readonly form: FormState;
  readonly faults: PlacedFaults;
  readonly widths: FormWidths;
  readonly height: number;
  readonly active: boolean;
  readonly onEdit: (change: (input: TextField) => TextField) => void;
}

/** The fields of a form: lines of text, and between them the input of the current field. */
export function FormFields(props: FormFieldsProps) {
  const { form, faults, widths, height, active, onEdit } = props;
  const { fields } = form.subject;
  const faultAt = (index: number) =>
    form.visited.has(index) || form.refused.has(index) ? faults.fields.get(index) : undefined;
  const labelWidth = widths.label + gutter + gap;
  const help = active ? helpLines(form, labelWidth, widths.value) : [];
  const heights = fields.map((_, index) => {
    const below = (faultAt(index) === undefined ? 0 : 1) + (index === form.at ? help.length : 0);
    return fieldHeight(form, index, widths.value) + below;
  });
  const top = firstShown(heights, form.at, height);
  const end = firstHidden(heights, top, height);
  const linesAt = (index: number): StyledLine[] => {
    const values = valueLines(form, index, widths.value);
    const field = fields[index];
    const label = field === undefined ? "" : labelOf(field);
    const lines = values.map((spans, row) => [labelSpan(row === 0 ? label : "", index), ...spans]);
    return [...lines, ...(index === form.at ? help : []), ...faultLines(faultAt(index))];
  };
  const labelSpan = (label: string, index: number): Span => {
    const isCurrent = index === form.at;
    const as = faultAt(index) !== undefined ? "bad" : isCurrent ? "focus" : "quiet";
    const sign = isCurrent && label !== "" ? "▸" : " ";
    return { text: `${sign} ${fitText(label, widths.label)}${" ".repeat(gap)}`, as };
  };
  const faultLines = (fault: string | undefined): StyledLine[] =>
    fault === undefined ? [] : [faultLine(fault, labelWidth, widths.value)];
  const typed = active ? typedField(form) : undefined;
  const visible = Array.from({ length: end - top }, (_, offset) => top + offset);
  const above = visible.filter((index) => index < form.at).flatMap(linesAt);
  const below = [
    ...(typed === undefined ? linesAt(form.at) : [...help, ...faultLines(faultAt(form.at))]),
    ...visible.filter((index) => index > form.at).flatMap(linesAt),
  ];
  // One hidden line on each side makes `TextLines` draw the signs for more.
  const [before, after] = [linesAt(top - 1).slice(-1), linesAt(end).slice(0, 1)];
  const rows = typed === undefined ? 0 : valueRows(typed.field, typed.input, true, widths.value);
  const width = labelWidth + widths.value;
  return (
    <Area height={height}>
      <TextLines
        lines={[...before, ...above]}
        top={before.length}
        width={width}
        height={above.length}
      />
      {typed === undefined ? null : (
        <TypedField
          label={labelSpan(labelOf(typed.field), form.at)}
          labelWidth={labelWidth}
          input={typed.input}
          isLong={isLong(typed.field)}
          width={widths.value}
          rows={rows}
          onEdit={onEdit}
        />
      )}
      <TextLines
        lines={[...below, ...after]}
        top={0}
        width={width}
        height={Math.max(0, height - rows - above.length)}
      />
    </Area>
  );
}

/** The rows of the value of a field. */
function fieldHeight(form: FormState, index: number, width: number): number {
  const [field, input] = [form.subject.fields[index], form.inputs[index]];
  if (field === undefined || input === undefined) return 0;
  if (field.locked !== undefined || longTextAt(form, index) !== undefined) return 1;
  return valueRows(field, input, index === form.at, width);
}

/** The help of the current field, or why it takes no key, below its value. */
function helpLines(form: FormState, indent: number, width: number): StyledLine[] {
  const text = lockedReason(form) ?? form.subject.fields[form.at]?.hint ?? "";
  return wrapText(text, width)
    .slice(0, helpRows)
    .map((line) => [{ text: " ".repeat(indent) + line, as: "quiet" }]);
}

function faultLine(fault: string, indent: number, width: number): StyledLine {
  return [{ text: `${" ".repeat(indent)}${clipText(`✗ ${fault}`, width)}`, as: "bad" }];
}

/** The label of the current field and its input. */
function TypedField(props: {
  readonly label: Span;
  readonly labelWidth: number;
  readonly input: TextField;
  readonly isLong: boolean;
  readonly width: number;
  readonly rows: number;
  readonly onEdit: (change: (input: TextField) => TextField) => void;
}) {
  const { label, labelWidth, input, width, rows, onEdit } = props;
  return (
    <Box height={rows} flexShrink={0}>
      <Area width={labelWidth} height={rows}>
        <Line as={label.as ?? "text"}>{label.text}</Line>
      </Area>
      <Area width={width} height={rows}>
        <TextInput
          scope="form"
          field={input}
          width={width}
          {...(props.isLong ? { rows } : {})}
          onEdit={onEdit}
        />
      </Area>
    </Box>
  );
}

/** The current field, if it takes text; a choice does not, nor a field that is only read. */
function typedField(form: FormState) {
  const [field, input] = [form.subject.fields[form.at], form.inputs[form.at]];
  if (field === undefined || input === undefined || field.kind === "choice") return undefined;
  return lockedReason(form) === undefined ? { field, input } : undefined;
}

/** Shown for a text that is too long to edit here; `undefined` for others. */
function longTextOf(form: FormState, index: number): string | undefined {
  const length = longTextAt(form, index)?.length;
  return length === undefined ? undefined : `${countWords(length)} characters, kept as they are`;
}

/** The lines of a field without the cursor. */
function valueLines(form: FormState, index: number, width: number): StyledLine[] {
  const [field, input] = [form.subject.fields[index], form.inputs[index]];
  if (field === undefined || input === undefined) return [];
  const longText = longTextOf(form, index);
  const text = fieldText(input);
  if (longText !== undefined) return [[{ text: clipText(longText, width), as: "quiet" }]];
  if (field.kind === "choice" && index === form.at) return [choiceLine(field, text, width)];
  if (field.locked !== undefined) return [lockedLine(text, width)];
  if (text === "") return [[{ text: "–", as: "quiet" }]];
  const meant = field.shown?.(text, form.subject.data);
  if (meant !== undefined)
    return [meant.map((span) => ({ ...span, text: clipText(span.text, width) }))];
  if (!isLong(field)) return [[{ text: clipText(text, width) }]];
  const rows = fieldRows(input, width);
  const more: StyledLine = rows.length > shownRows ? [{ text: "…", as: "quiet" }] : [];
  return rows
    .slice(0, shownRows)
    .map((row, index): StyledLine => [
      { text: row.graphemes.map(shownGrapheme).join("") },
      ...(index === shownRows - 1 ? more : []),
    ]);
}

const lockedSign = " ⊘ read-only";

/** A field that the user may only read; the form's hint has the reason with the cursor in it. */
function lockedLine(text: string, width: number): StyledLine {
  const [first = ""] = text.split("\n", 1);
  const room = Math.max(1, width - textWidth(lockedSign));
  return [{ text: clipText(first === "" ? "–" : first, room) + lockedSign, as: "quiet" }];
}

/** The current choice: `‹ open › 2 of 4`. */
function choiceLine(field: FormField, text: string, width: number): StyledLine {
  const at = field.choices.findIndex((choice) => choice.text === text);
  const count = field.choices.length;
  return [
    { text: "‹ ", as: "key" },
    { text: clipText(text === "" ? "–" : text, width - 16), as: "selected" },
    { text: " ›", as: "key" },
    { text: at === -1 ? ` of ${count}` : ` ${at + 1} of ${count}`, as: "quiet" },
  ];
}

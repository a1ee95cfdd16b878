import { Box } from "ink";
import type { FormField } from "../form/form-fields.ts";
import { keptLength, type FormState, type PlacedFaults } from "../form/form-model.ts";
import { keyName } from "../keys.ts";
import { fieldRows, fieldText, shownGrapheme, type TextField } from "../text-field.ts";
import { clipText, fitText, textWidth } from "../text-layout.ts";
import { countWords } from "../words.ts";
import { Area, Line, Paint } from "./paint.tsx";
import { TextInput } from "./text-input.tsx";

/** Columns of a form's two halves: what a field is called, and what stands in it. */
export interface FormWidths {
  readonly label: number;
  readonly value: number;
}

const longestLabel = 26;
const gutter = 2;
const gap = 2;
/** Rows of a long text: while it is typed in, and else. */
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

/** Whether it has several rows, in which Enter begins a new one. */
export function isLong(field: FormField): boolean {
  return field.kind === "lines" || field.kind === "json";
}

/** Texts break into rows once for each text, not once for each frame. */
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

/** The first field that is shown, so that the one that is typed in is, and the end is filled. */
export function firstShown(heights: readonly number[], at: number, room: number): number {
  const heightOf = (index: number) => heights[index] ?? 0;
  let top = at;
  let used = heightOf(at);
  const above = Math.max(used, Math.floor(room * 0.66));
  while (top > 0 && used + heightOf(top - 1) <= above) {
    top -= 1;
    used += heightOf(top);
  }
  let rest = heights.slice(top).reduce((sum, height) => sum + height, 0);
  while (top > 0 && rest + heightOf(top - 1) <= room) {
    top -= 1;
    rest += heightOf(top);
  }
  return top;
}

/** The first field that does not fit any more. */
function firstHidden(heights: readonly number[], top: number, room: number): number {
  let end = top;
  for (let used = 0; end < heights.length && used < room; end += 1) used += heights[end] ?? 0;
  return end;
}

export interface FormFieldsProps {
  readonly form: FormState;
  readonly faults: PlacedFaults;
  readonly widths: FormWidths;
  readonly height: number;
  readonly active: boolean;
  readonly onEdit: (change: (input: TextField) => TextField) => void;
}

/** The fields of a form, of which only the visible ones are drawn. */
export function FormFields(props: FormFieldsProps) {
  const { form, faults, widths, height, active, onEdit } = props;
  const faultAt = (index: number) =>
    form.visited.has(index) || form.refused.has(index) ? faults.fields.get(index) : undefined;
  const heights = form.subject.fields.map((field, index) => {
    const input = form.inputs[index];
    if (input === undefined) return 0;
    const rows = valueRows(field, input, index === form.at, widths.value);
    return rows + (faultAt(index) === undefined ? 0 : 1);
  });
  const top = firstShown(heights, form.at, height);
  const shown = form.subject.fields.slice(top, firstHidden(heights, top, height));
  return (
    <Area height={height}>
      {shown.map((field, offset) => {
        const index = top + offset;
        const input = form.inputs[index];
        if (input === undefined) return null;
        const typed = index === form.at;
        const fault = faultAt(index);
        const kept = keptLength(form, index);
        const rows = valueRows(field, input, typed, widths.value);
        return (
          <Box key={field.name} flexDirection="column" flexShrink={0}>
            <Box height={rows} flexShrink={0}>
              <Area width={widths.label + gutter + gap} height={rows}>
                <Line as={fault !== undefined ? "bad" : typed ? "focus" : "quiet"}>
                  {`${typed ? "▸" : " "} ${fitText(labelOf(field), widths.label)}`}
                </Line>
              </Area>
              <Area width={widths.value} height={rows}>
                {typed && active && field.kind !== "choice" ? (
                  <TextInput
                    scope="form"
                    field={input}
                    width={widths.value}
                    {...(isLong(field) ? { rows } : {})}
                    placeholder={kept === undefined ? "" : keptWords(kept)}
                    onEdit={onEdit}
                  />
                ) : (
                  <FieldValue
                    field={field}
                    input={input}
                    rows={rows}
                    width={widths.value}
                    typed={typed}
                    kept={kept}
                  />
                )}
              </Area>
            </Box>
            {fault === undefined ? null : (
              <Line as="bad">
                {" ".repeat(widths.label + gutter + gap)}
                {clipText(`✗ ${fault}`, widths.value)}
              </Line>
            )}
          </Box>
        );
      })}
    </Area>
  );
}

function keptWords(length: number): string {
  return `${countWords(length)} characters, kept as they are; ${keyName("editInEditor")} edits them`;
}

function FieldValue(props: {
  readonly field: FormField;
  readonly input: TextField;
  readonly rows: number;
  readonly width: number;
  readonly typed: boolean;
  readonly kept: number | undefined;
}) {
  const { field, input, rows, width, typed, kept } = props;
  if (kept !== undefined) return <Line as="quiet">{clipText(keptWords(kept), width)}</Line>;
  const text = fieldText(input);
  if (field.kind === "choice") {
    const at = field.choices.findIndex((choice) => choice.text === text);
    const place = at === -1 ? `of ${field.choices.length}` : `${at + 1} of ${field.choices.length}`;
    if (!typed)
      return <Line as={text === "" ? "quiet" : "text"}>{clipText(text || "–", width)}</Line>;
    return (
      <Line>
        <Paint as="key">‹ </Paint>
        <Paint as="selected">{clipText(text === "" ? "–" : text, width - 16)}</Paint>
        <Paint as="key"> ›</Paint>
        <Paint as="quiet"> {place}</Paint>
      </Line>
    );
  }
  if (text === "") return <Line as="quiet">–</Line>;
  if (!isLong(field)) return <Line>{clipText(text, width)}</Line>;
  const all = fieldRows(input, width);
  return all.slice(0, rows).map((row, index) => (
    <Line key={index}>
      {row.graphemes.map(shownGrapheme).join("")}
      {index === rows - 1 && all.length > rows ? "…" : ""}
    </Line>
  ));
}

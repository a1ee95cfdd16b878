import type { Fault, JsonObject } from "#client/index.ts";
import { sameJson } from "#lib/same-json.ts";
import { pointerNames } from "#lib/json-pointer.ts";
import { ownMember } from "#lib/own-member.ts";
import { fieldText, textField, type TextField } from "../input/text-field.ts";
import { itemLines, parsedText, textOf, type ParsedText } from "./field-text.ts";
import type { FormField } from "./form-field.ts";

/** What a form is about; steady while it is open, except that a conflict makes a new one. */
export interface FormSubject {
  readonly fields: readonly FormField[];
  /** What stood there when it was opened; what is left untouched is given back as it was. */
  readonly data: JsonObject;
  /** Everything wrong with whole data, by the rules of the type; pointers begin at the data. */
  readonly check: (data: JsonObject) => readonly Fault[];
}

/** A form as it is being filled in. */
export interface FormState {
  readonly subject: FormSubject;
  /** What stands in each field, in the order of the fields. */
  readonly inputs: readonly TextField[];
  /** What stood in them at first. */
  readonly initial: readonly TextField[];
  /** Lengths of stored texts that are too long for here, by place: kept unless something is typed. */
  readonly kept: ReadonlyMap<number, number>;
  /** Place of the field that is typed in. */
  readonly at: number;
  /** Places that were left once: what is wrong with them is said. */
  readonly visited: ReadonlySet<number>;
  /** What the platform said is wrong, by place, until the field is changed. */
  readonly refused: ReadonlyMap<number, string>;
}

/** A value longer than this is for an editor: typing in it here would be slow. */
const longestText = 20_000;

/** Characters of the stored text that is kept though the field is empty; said instead of it. */
export function keptLength({ inputs, kept }: FormState, index: number): number | undefined {
  return inputs[index]?.graphemes.length === 0 ? kept.get(index) : undefined;
}

export function openForm(subject: FormSubject): FormState {
  const kept = new Map<number, number>();
  const inputs = subject.fields.map((field, index) => {
    const text = textOf(field, ownMember(subject.data, field.name));
    if (text.length <= longestText) return textField(text);
    kept.set(index, text.length);
    return textField();
  });
  return {
    subject,
    inputs,
    initial: inputs,
    kept,
    at: 0,
    visited: new Set(),
    refused: new Map(),
  };
}

/** The data that a new record begins with: the defaults. */
export function initialData(fields: readonly FormField[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback]])),
  );
}

function parsedAt({ subject, inputs, initial }: FormState, index: number): ParsedText {
  const [field, input, first] = [subject.fields[index], inputs[index], initial[index]];
  if (field === undefined || input === undefined || first === undefined) {
    return { value: undefined };
  }
  // Untouched: it stays what it was, also where its text can't say it (null, "", odd characters).
  const text = fieldText(input);
  return input === first || text === fieldText(first)
    ? { value: ownMember(subject.data, field.name) }
    : parsedText(field, text);
}

/** The data as it would be saved; what is not a field of the form (a file) is not in it. */
export function formData(state: FormState): JsonObject {
  return Object.fromEntries(
    state.subject.fields.flatMap(({ name }, index) => {
      const { value } = parsedAt(state, index);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Whether anything would be lost if the form were closed. */
export function isChanged(state: FormState): boolean {
  return state.subject.fields.some(
    ({ name }, index) =>
      parsedAt(state, index).problem !== undefined ||
      !sameJson(parsedAt(state, index).value, ownMember(state.subject.data, name)),
  );
}

export interface PlacedFaults {
  /** What is wrong with a field, by its place in the form. */
  readonly fields: ReadonlyMap<number, string>;
  /** What is wrong with no field of the form. */
  readonly others: readonly string[];
}

/** A step below a field: items are counted as they stand there, and "0 is not a date" misleads. */
function stepWords(step: string): string {
  return /^\d+$/.test(step) ? `item ${Number(step) + 1}` : step;
}

/** Faults at their fields. The platform's pointers may begin at the data or at `data`. */
export function placeFaults(fields: readonly FormField[], faults: readonly Fault[]): PlacedFaults {
  const placed = new Map<number, string>();
  const others: string[] = [];
  for (const { pointer, detail } of faults) {
    const parts = pointerNames(pointer);
    const isWrapped = ["data", "parameters"].includes(parts[0] ?? "");
    const find = (names: readonly string[]) => fields.findIndex(({ name }) => name === names[0]);
    const inner = isWrapped && parts.length > 1 && find(parts) === -1 ? parts.slice(1) : parts;
    const index = find(inner);
    const below = inner.slice(1).map(stepWords).join(" › ");
    const words = below === "" ? detail : `${below} ${detail}`;
    if (index === -1) others.push(`${inner.join(".")} ${detail}`.trim());
    else if (!placed.has(index)) placed.set(index, words);
  }
  return { fields: placed, others };
}

/** Everything wrong with the form as it stands: what the platform said, then the type's rules. */
export function formFaults(state: FormState): PlacedFaults {
  const unreadable = new Map<number, string>();
  for (const index of state.subject.fields.keys()) {
    const { problem } = parsedAt(state, index);
    if (problem !== undefined) unreadable.set(index, problem);
  }
  const checked = placeFaults(state.subject.fields, state.subject.check(formData(state)));
  return {
    fields: new Map([...checked.fields, ...unreadable, ...state.refused]),
    others: checked.others,
  };
}

function clamped(state: FormState, at: number): number {
  return Math.max(0, Math.min(at, state.subject.fields.length - 1));
}

/** Goes to another field; the one that is left has been seen. */
export function moveField(state: FormState, by: number): FormState {
  return goToField(state, state.at + by);
}

export function goToField(state: FormState, at: number): FormState {
  return { ...state, at: clamped(state, at), visited: new Set([...state.visited, state.at]) };
}

/** Changes what stands in the field that is typed in. */
export function editInput(state: FormState, change: (input: TextField) => TextField): FormState {
  const now = state.inputs[state.at];
  if (now === undefined) return state;
  const next = change(now);
  if (next === now) return state;
  const refused = new Map(state.refused);
  if (next.graphemes !== now.graphemes) refused.delete(state.at);
  const inputs = state.inputs.map((input, index) => (index === state.at ? next : input));
  return { ...state, inputs, refused };
}

/** Adds an item to the list that is typed in, or takes it out of it. */
export function toggleItem(state: FormState, item: string): FormState {
  const input = state.inputs[state.at];
  if (input === undefined) return state;
  const lines = itemLines(fieldText(input));
  const next = lines.includes(item) ? lines.filter((line) => line !== item) : [...lines, item];
  return setText(state, next.join("\n"));
}

/** The next or an earlier choice of the field; before the first stands nothing, where it may. */
export function turnChoice(state: FormState, by: number): FormState {
  const field = state.subject.fields[state.at];
  const input = state.inputs[state.at];
  if (field === undefined || input === undefined || field.choices.length === 0) return state;
  const texts = [...(field.isRequired ? [] : [""]), ...field.choices.map((each) => each.text)];
  const at = texts.indexOf(fieldText(input));
  const next = at === -1 ? (by > 0 ? 0 : texts.length - 1) : at + by;
  return setText(state, texts[(next + texts.length) % texts.length] ?? "");
}

/** The next choice that begins with these letters. */
export function findChoice(state: FormState, letters: string): FormState {
  const field = state.subject.fields[state.at];
  const input = state.inputs[state.at];
  if (field === undefined || input === undefined) return state;
  const wanted = letters.toLowerCase();
  const texts = field.choices.map((each) => each.text);
  const at = texts.indexOf(fieldText(input));
  const inTurn = [...texts.slice(at + 1), ...texts.slice(0, at + 1)];
  const found = inTurn.find((text) => text.toLowerCase().startsWith(wanted));
  return found === undefined ? state : setText(state, found);
}

/** Puts a text into the field that is typed in. */
export function setText(state: FormState, text: string): FormState {
  return editInput(state, () => textField(text));
}

/** Everything wrong is said from now on, and the first of it is gone to. */
export function showFaults(state: FormState, faults: PlacedFaults): FormState {
  const visited = new Set(state.subject.fields.keys());
  const first = Math.min(...faults.fields.keys());
  return { ...state, visited, at: Number.isFinite(first) ? first : state.at };
}

/** What the platform refused, at its fields. */
export function refuse(state: FormState, faults: readonly Fault[]): FormState {
  const placed = placeFaults(state.subject.fields, faults);
  return showFaults({ ...state, refused: placed.fields }, placed);
}

/** The same form about something else, e.g. fields of a type that was changed meanwhile. */
export function withSubject(state: FormState, subject: FormSubject): FormState {
  const form = withData(openForm(subject), formData(state));
  const open = state.subject.fields[state.at]?.name;
  return goToField(
    form,
    subject.fields.findIndex(({ name }) => name === open),
  );
}

/** The same form with other data in it, e.g. what came back from an editor. */
export function withData(state: FormState, data: JsonObject): FormState {
  const inputs = state.subject.fields.map((field, index) => {
    const value = ownMember(data, field.name);
    const first = state.initial[index];
    const isSame = sameJson(value, ownMember(state.subject.data, field.name));
    return first !== undefined && isSame ? first : textField(textOf(field, value));
  });
  return { ...state, inputs, refused: new Map() };
}

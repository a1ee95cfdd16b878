import type { Fault, JsonObject } from "#client/index.ts";
import { sameJson } from "#lib/json/same.ts";
import { pointerNames } from "#lib/json/pointer.ts";
import { ownMember } from "#lib/own-member.ts";
import { fieldText, textField, type TextField } from "../input/text-field.ts";
import { itemLines, parsedText, textOf, type ParsedText } from "./field-text.ts";
import type { FormField } from "./form-field.ts";
import { countWords } from "../text/words.ts";

/** The fields and the data of a form; constant while it is open, unless its type changes. */
export interface FormSubject {
  readonly fields: readonly FormField[];
  /** The data when the form was opened. Untouched values are saved unchanged. */
  readonly data: JsonObject;
  /** The faults of the data by the rules of the type; pointers begin at the data. */
  readonly check: (data: JsonObject) => readonly Fault[];
}

type LongTexts = ReadonlyMap<number, string>;

/** An open form. Sets and maps hold indexes of fields. */
export interface FormState {
  readonly subject: FormSubject;
  readonly inputs: readonly TextField[];
  readonly initial: readonly TextField[];
  /** The texts that are too long to edit here, whose inputs are empty: an editor changes them. */
  readonly longTexts: LongTexts;
  readonly initialLongTexts: LongTexts;
  readonly at: number;
  /** Fields that had the cursor: their faults are shown. */
  readonly visited: ReadonlySet<number>;
  /** The platform's faults, until the field changes. */
  readonly refused: ReadonlyMap<number, string>;
}

/** Editing a longer value here would be slow; it needs an editor. */
const longestText = 20_000;

/** The text of a field that is too long to edit here. */
export function longTextAt({ longTexts }: FormState, index: number): string | undefined {
  return longTexts.get(index);
}

/** Why the current field takes no key; `undefined` where it does. */
export function lockedReason(form: FormState): string | undefined {
  const field = form.subject.fields[form.at];
  if (field === undefined) return undefined;
  if (field.locked !== undefined) return `${field.label} ${field.locked}`;
  const length = longTextAt(form, form.at)?.length;
  return length === undefined
    ? undefined
    : `${field.label} has ${countWords(length)} characters, too many to edit here`;
}

export function openForm(subject: FormSubject): FormState {
  const texts = subject.fields.map((field) => textOf(field, ownMember(subject.data, field.name)));
  const longTexts = new Map([...texts.entries()].filter(([, text]) => text.length > longestText));
  const inputs = texts.map((text) => textField(text.length > longestText ? "" : text));
  const untouched = { at: 0, visited: new Set<number>(), refused: new Map<number, string>() };
  const initial = { initial: inputs, initialLongTexts: longTexts };
  return { subject, inputs, longTexts, ...initial, ...untouched };
}

export function initialData(fields: readonly FormField[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback]])),
  );
}

function parsedAt(state: FormState, index: number): ParsedText {
  const { subject, inputs, initial, longTexts, initialLongTexts } = state;
  const [field, input, first] = [subject.fields[index], inputs[index], initial[index]];
  if (field === undefined || input === undefined || first === undefined) {
    return { value: undefined };
  }
  // An untouched value stays, also one that a text can't represent (null, "", control characters).
  const [long, firstLong] = [longTexts.get(index), initialLongTexts.get(index)];
  const text = long ?? fieldText(input);
  const isUntouched = input === first && long === firstLong;
  return isUntouched || text === (firstLong ?? fieldText(first))
    ? { value: ownMember(subject.data, field.name) }
    : parsedText(field, text);
}

/** The data to save, without properties that are not fields of the form, such as files. */
export function formData(state: FormState): JsonObject {
  return Object.fromEntries(
    state.subject.fields.flatMap(({ name }, index) => {
      const { value } = parsedAt(state, index);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Whether closing the form loses something. */
export function isChanged(state: FormState): boolean {
  return state.subject.fields.some(
    ({ name }, index) =>
      parsedAt(state, index).problem !== undefined ||
      !sameJson(parsedAt(state, index).value, ownMember(state.subject.data, name)),
  );
}

export interface PlacedFaults {
  /** The fault of a field, by the index of the field. */
  readonly fields: ReadonlyMap<number, string>;
  /** Faults outside the form's fields. */
  readonly others: readonly string[];
}

/** A step of a pointer below a field; list items count from 1. */
function stepWords(step: string): string {
  return /^\d+$/.test(step) ? `item ${Number(step) + 1}` : step;
}

/** Assigns faults to fields. The platform's pointers may begin at the data or at `data`. */
export function placeFaults(fields: readonly FormField[], faults: readonly Fault[]): PlacedFaults {
  const placed = new Map<number, string>();
  const others: string[] = [];
  for (const { pointer, detail } of faults) {
    const parts = pointerNames(pointer);
    const isWrapped = ["data", "parameters"].includes(parts[0] ?? "");
    const indexOf = (path: readonly string[]) => fields.findIndex(({ name }) => name === path[0]);
    const inner = isWrapped && parts.length > 1 && indexOf(parts) === -1 ? parts.slice(1) : parts;
    const index = indexOf(inner);
    const below = inner.slice(1).map(stepWords).join(" › ");
    const words = below === "" ? detail : `${below} ${detail}`;
    if (index === -1) others.push(`${inner.join(".")} ${detail}`.trim());
    else if (!placed.has(index)) placed.set(index, words);
  }
  return { fields: placed, others };
}

/** The faults of a form: the platform's, then those of its texts and of the type's rules. */
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

export function moveField(state: FormState, by: number): FormState {
  return goToField(state, state.at + by);
}

export function goToField(state: FormState, at: number): FormState {
  const last = state.subject.fields.length - 1;
  const visited = new Set([...state.visited, state.at]);
  return { ...state, at: Math.max(0, Math.min(at, last)), visited };
}

export function editInput(state: FormState, change: (input: TextField) => TextField): FormState {
  const before = state.inputs[state.at];
  if (before === undefined || lockedReason(state) !== undefined) return state;
  const next = change(before);
  if (next === before) return state;
  const refused = new Map(state.refused);
  if (next.graphemes !== before.graphemes) refused.delete(state.at);
  const inputs = state.inputs.map((input, index) => (index === state.at ? next : input));
  return followProposals(state, { ...state, inputs, refused });
}

/** Renews the proposals that the user has not replaced. */
function followProposals(before: FormState, after: FormState): FormState {
  const { fields } = after.subject;
  if (fields.every(({ proposal }) => proposal === undefined)) return after;
  const [earlier, now] = [formData(before), formData(after)];
  const inputs = after.inputs.map((input, index) => {
    const { proposal } = fields[index] ?? {};
    if (proposal === undefined || index === after.at) return input;
    const isProposal = fieldText(input) === proposal(earlier);
    return isProposal ? textField(proposal(now)) : input;
  });
  return { ...after, inputs };
}

/** Adds an item to the list of the current field, or removes it. */
export function toggleItem(state: FormState, item: string): FormState {
  const input = state.inputs[state.at];
  if (input === undefined) return state;
  const lines = itemLines(fieldText(input));
  const next = lines.includes(item) ? lines.filter((line) => line !== item) : [...lines, item];
  return setText(state, next.join("\n"));
}

/** Takes the next or an earlier choice; an optional field also has the empty choice. */
export function turnChoice(state: FormState, by: number): FormState {
  const field = state.subject.fields[state.at];
  const input = state.inputs[state.at];
  if (field === undefined || input === undefined || field.choices.length === 0) return state;
  const texts = [...(field.isRequired ? [] : [""]), ...field.choices.map((each) => each.text)];
  const at = texts.indexOf(fieldText(input));
  const next = at === -1 ? (by > 0 ? 0 : texts.length - 1) : at + by;
  return setText(state, texts[(next + texts.length) % texts.length] ?? "");
}

/** Takes the next choice that begins with these letters. */
export function findChoice(state: FormState, letters: string): FormState {
  const field = state.subject.fields[state.at];
  const input = state.inputs[state.at];
  if (field === undefined || input === undefined) return state;
  const texts = field.choices.map((each) => each.text);
  const at = texts.indexOf(fieldText(input));
  const rotated = [...texts.slice(at + 1), ...texts.slice(0, at + 1)];
  const match = rotated.find((text) => text.toLowerCase().startsWith(letters.toLowerCase()));
  return match === undefined ? state : setText(state, match);
}

export function setText(state: FormState, text: string): FormState {
  return editInput(state, () => textField(text));
}

/** The text of the current field, also of one that is too long to edit here. */
export function currentText({ inputs, longTexts, at }: FormState): string {
  const input = inputs[at];
  return longTexts.get(at) ?? (input === undefined ? "" : fieldText(input));
}

/** The form with a text of any length in the current field, e.g. from an editor. */
export function replaceText(state: FormState, text: string): FormState {
  const longTexts = new Map(state.longTexts);
  longTexts.delete(state.at);
  if (text.length <= longestText) return setText({ ...state, longTexts }, text);
  const emptied = setText({ ...state, longTexts }, "");
  return { ...emptied, longTexts: new Map(longTexts).set(state.at, text) };
}

/** Shows all faults, and goes to the first one. */
export function showFaults(state: FormState, faults: PlacedFaults): FormState {
  const visited = new Set(state.subject.fields.keys());
  const first = Math.min(...faults.fields.keys());
  return { ...state, visited, at: Number.isFinite(first) ? first : state.at };
}

/** Shows the platform's faults at their fields. */
export function refuse(state: FormState, faults: readonly Fault[]): FormState {
  const placed = placeFaults(state.subject.fields, faults);
  return showFaults({ ...state, refused: placed.fields }, placed);
}

/** Returns the form with another subject, e.g. after its type changed. */
export function withSubject(state: FormState, subject: FormSubject): FormState {
  const form = withData(openForm(subject), formData(state));
  const current = state.subject.fields[state.at]?.name;
  const at = subject.fields.findIndex(({ name }) => name === current);
  return goToField(form, at);
}

/** Returns the form with other data, e.g. from an editor. */
export function withData(state: FormState, data: JsonObject): FormState {
  const fresh = openForm({ ...state.subject, data });
  const longTexts = new Map(fresh.longTexts);
  const inputs = state.subject.fields.map(({ name }, index) => {
    const [first, next] = [state.initial[index], fresh.inputs[index] ?? textField()];
    const isSame = sameJson(ownMember(data, name), ownMember(state.subject.data, name));
    if (first === undefined || !isSame) return next;
    const long = state.initialLongTexts.get(index);
    if (long !== undefined) longTexts.set(index, long);
    return first;
  });
  return { ...state, inputs, longTexts, refused: new Map() };
}

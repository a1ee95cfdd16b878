import type { ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { isProperty, textIn, type AnyProperty } from "../../kit/data-fields/property.ts";
import type { NameOf } from "../../shell/platform/names.ts";
import {
  closedStates,
  currencyOf,
  hasMeaning,
  isStatus,
  statusOf,
  urgencyTokens,
} from "../../kit/data-fields/meaning.ts";
import { titleOf } from "../../kit/data-fields/record-columns.ts";
import type { Span, StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText, textWidth, wrapText } from "../../kit/text/text-layout.ts";
import type { Token } from "../../kit/theme/skin.ts";
import {
  countWords,
  distanceWords,
  dueWords,
  numberWords,
  pointWords,
  valueWords,
} from "../../kit/text/words.ts";
import { actionsOf } from "../actions/record-action.ts";
import { fileFacts, storedIn } from "./file-values.ts";
import { geometryWords } from "./place-words.ts";

/** The action of Enter on a line. */
type LineAction =
  | { readonly kind: "record"; readonly objectType: string; readonly id: string }
  /** Shows or hides the content; the place is a JSON path of names. */
  | { readonly kind: "fold"; readonly place: string }
  | { readonly kind: "file"; readonly property: string };

interface RecordLine {
  readonly spans: StyledLine;
  readonly action: LineAction | undefined;
}

interface RecordView {
  /** The blanks before each line. */
  readonly margin?: string;
  readonly width: number;
  readonly nowMs: number;
  /** Places of lists, objects and texts that show their content. */
  readonly unfolded: ReadonlySet<string>;
  readonly nameOf: NameOf;
  readonly recordNameOf?: NameOf;
  /** The record's own id, and those of records that have a name, are left out. */
  readonly hidesIds?: boolean;
}

const maximumNameWidth = 24;
/** The JSON tab shows longer lists. */
const maximumLines = 2_000;
/** Lines of a folded long text. */
const foldedLines = 8;

interface DrawnValue {
  readonly text: string;
  readonly as?: Token | undefined;
  /** Quiet text after the value. */
  readonly note?: string;
  readonly action?: LineAction;
  readonly members?: readonly (readonly [name: string, value: unknown, property: AnyProperty])[];
}

const untyped: AnyProperty = { type: "" };

function membersOf(value: Readonly<Record<string, unknown>>): DrawnValue["members"] {
  return Object.entries(value).map(([name, member]) => [name, member, untyped] as const);
}

function drawnFile(property: string, value: unknown): DrawnValue | undefined {
  const file = storedIn(value);
  if (file === undefined) return undefined;
  const { filename: text } = file;
  return { text, as: "link", note: fileFacts(file), action: { kind: "file", property } };
}

/** A field as all records of a type show it. */
interface FieldForm {
  readonly name: string;
  readonly title: string;
  readonly titleWidth: number;
  readonly property: AnyProperty;
  readonly isStatus: boolean;
}

const maximumStatuses = 1_000;

/** The parts of a record's lines that depend on its type only. */
class TypeForm {
  readonly #type: ObjectType;
  readonly #fields: ReadonlyMap<string, FieldForm>;
  readonly #closed: ReturnType<typeof closedStates>;
  readonly #statuses = new Map<string, DrawnValue>();

  constructor(type: ObjectType) {
    this.#type = type;
    this.#closed = closedStates(type);
    const fields = Object.entries<AnyProperty>(dataFields(type));
    this.#fields = new Map(
      fields.map(([name, property]) => [name, fieldForm(type, name, property)]),
    );
  }

  /** The fields that a record has: those of the type in its order, then others. */
  fieldsOf({ data }: Resource): FieldForm[] {
    const forms: FieldForm[] = [];
    for (const [name, form] of this.#fields) if (Object.hasOwn(data, name)) forms.push(form);
    for (const name of Object.keys(data)) {
      if (!this.#fields.has(name)) forms.push(fieldForm(this.#type, name, untyped));
    }
    return forms;
  }

  isClosed({ data }: Resource): boolean {
    return this.#closed.some(([name, states]) => states.has(data[name]));
  }

  /** A status with its sign and the actions that it allows: `● open  (Decide → decided)`. */
  status(record: Resource, { name, property }: FieldForm, value: string): DrawnValue {
    const key = JSON.stringify([name, value]);
    const known = this.#statuses.get(key);
    if (known !== undefined) return known;
    const { glyph, token } = statusOf(property, value);
    const actions = actionsOf(this.#type, record, undefined)
      .filter((action) => action.property === name && action.reason === undefined)
      .map(({ words, to }) => `${words} → ${to}`);
    const note = actions.length === 0 ? "" : `(${actions.join(", ")})`;
    const drawn = { text: `${glyph} ${value}`, as: token, note };
    if (this.#statuses.size >= maximumStatuses) this.#statuses.clear();
    this.#statuses.set(key, drawn);
    return drawn;
  }
}

/** The parts of a property that its values are drawn by. */
interface PropertyForm {
  readonly target: string | undefined;
  readonly items: AnyProperty | undefined;
  readonly currency: string | undefined;
  readonly isDue: boolean;
}

// A definition is looked into once, since each record has values of it.
const propertyForms = new WeakMap<AnyProperty, PropertyForm>();

function propertyForm(property: AnyProperty): PropertyForm {
  const known = propertyForms.get(property);
  if (known !== undefined) return known;
  const items = ownMember(property, "items");
  const form = {
    target: textIn(property, "targetObjectType"),
    items: isProperty(items) ? items : undefined,
    currency: currencyOf(property),
    isDue: hasMeaning(property, "due"),
  };
  propertyForms.set(property, form);
  return form;
}

function fieldForm(type: ObjectType, name: string, property: AnyProperty): FieldForm {
  const title = titleOf(type, name);
  const drawsStatus = isStatus(name, property);
  return { name, title, titleWidth: textWidth(title), property, isStatus: drawsStatus };
}

const typeForms = new WeakMap<ObjectType, TypeForm>();

function formOf(type: ObjectType): TypeForm {
  const form = typeForms.get(type) ?? new TypeForm(type);
  typeForms.set(type, form);
  return form;
}

class RecordDrawing {
  readonly lines: RecordLine[] = [];
  readonly #view: RecordView;
  readonly #nameWidth: number;
  readonly #isClosed: boolean;

  constructor(view: RecordView, widestName: number, closed: boolean) {
    this.#view = view;
    this.#isClosed = closed;
    this.#nameWidth = Math.min(widestName, maximumNameWidth, Math.floor(view.width / 2));
  }

  put(path: readonly string[], title: string, drawn: DrawnValue): void {
    const room = Math.max(1, this.#view.width - this.#nameWidth - 2);
    const indent = "  ".repeat(Math.min(path.length - 1, 6));
    const { rows, action } = this.#rows(path, drawn, room);
    const { note = "" } = drawn;
    const { as } = drawn;
    const texts: Span[] = rows.length === 0 ? [{ text: "", as }] : [];
    for (const text of rows) texts.push({ text, as });
    const fits = note !== "" && textWidth(texts.at(-1)?.text ?? "") + textWidth(note) + 2 <= room;
    if (!fits && note !== "") {
      for (const text of wrapText(note, room)) texts.push({ text, as: "quiet" });
    }
    for (const [index, text] of texts.entries()) {
      const name = fitText(index === 0 ? indent + title : "", this.#nameWidth);
      const isLast = index === texts.length - 1;
      const end: StyledLine =
        fits && isLast ? [{ text: `  ${fitText(note, textWidth(note))}`, as: "quiet" }] : [];
      const head = { text: `${this.#view.margin ?? ""}${name}  `, as: "quiet" } as const;
      this.lines.push({ action, spans: [head, text, ...end] });
    }
    for (const [name, value, property] of drawn.members ?? []) {
      if (this.lines.length >= maximumLines) return;
      const inner = [...path, name];
      this.put(inner, name, this.draw(inner, value, property));
    }
  }

  /** The lines of a value. A long text is folded, and only its start is wrapped. */
  #rows(
    path: readonly string[],
    { text, action }: DrawnValue,
    room: number,
  ): { readonly rows: readonly string[]; readonly action: LineAction | undefined } {
    if (action !== undefined) return { rows: wrapText(text, room), action };
    const start = text.slice(0, room * foldedLines * 2);
    const rows = wrapText(start, room);
    if (rows.length <= foldedLines && start.length === text.length) return { rows, action };
    const place = JSON.stringify(path);
    const fold = { kind: "fold", place } as const;
    if (this.#view.unfolded.has(place)) {
      const whole = wrapText(text, room);
      const hidden = whole.length - maximumLines;
      const rest = hidden > 0 ? [`… ${countWords(hidden)} more lines are in the JSON`] : [];
      return { rows: [...whole.slice(0, maximumLines), ...rest], action: fold };
    }
    const words = `▸ ${countWords(text.length)} characters in total`;
    return { rows: [...rows.slice(0, foldedLines - 1), words], action: fold };
  }

  /** A value in the form of its type. */
  draw(path: readonly string[], value: unknown, property: AnyProperty): DrawnValue {
    const name = path.at(-1) ?? "";
    if (value === null) return { text: "null", as: "quiet" };
    if (typeof value === "boolean") return { text: value ? "yes" : "no" };
    if (typeof value === "number") {
      return { text: numberWords(value, propertyForm(property).currency) };
    }
    const { target } = propertyForm(property);
    if (target !== undefined && typeof value === "string") {
      const action = { kind: "record", objectType: target, id: value } as const;
      const recordName = this.#view.recordNameOf?.(value);
      const isNamed = recordName !== undefined && recordName !== value;
      const note = isNamed && this.#view.hidesIds !== true ? `${target} ${value}` : target;
      return { text: `→ ${recordName ?? value}`, as: "link", note, action };
    }
    const isTime = property.type === "date" || property.type === "datetime";
    if (isTime && typeof value === "string") {
      if (propertyForm(property).isDue && !this.#isClosed) {
        const { words, urgency } = dueWords(value, this.#view.nowMs);
        return { text: value, as: urgencyTokens[urgency], note: words };
      }
      return { text: value, note: distanceWords(value, this.#view.nowMs) };
    }
    if (typeof value === "string") return { text: value };
    const file = property.type === "file" ? drawnFile(name, value) : undefined;
    if (file !== undefined) return file;
    const point = property.type === "geopoint" ? pointWords(value) : undefined;
    if (point !== undefined) return { text: point };
    const geometry = property.type === "geometry" ? geometryWords(value) : undefined;
    if (geometry !== undefined && isJsonObject(value)) {
      return this.#folded(path, geometry.kind, geometry.place, () => membersOf(value));
    }
    if (Array.isArray(value)) return this.#list(path, value, property, target);
    if (isJsonObject(value)) return this.#object(path, value, property);
    return { text: valueWords(value) };
  }

  /** A list or object that folds: its members if it is open, else a preview. */
  #folded(
    path: readonly string[],
    words: string,
    preview: string,
    members: () => DrawnValue["members"],
  ): DrawnValue {
    const place = JSON.stringify(path);
    const action = { kind: "fold", place } as const;
    return this.#view.unfolded.has(place)
      ? { text: `▾ ${words}`, action, members: members() ?? [] }
      : { text: `▸ ${words}`, action, note: preview };
  }

  #list(
    path: readonly string[],
    value: readonly unknown[],
    property: AnyProperty,
    target: string | undefined,
  ): DrawnValue {
    const isPlain = value.every((item) => typeof item !== "object" || item === null);
    if (value.length === 0) return { text: "none", as: "quiet" };
    const each = target !== undefined ? property : (propertyForm(property).items ?? untyped);
    const isReference = propertyForm(each).target !== undefined;
    if (isPlain && !isReference && value.length <= 20) return { text: valueWords(value) };
    const first = value.slice(0, 5);
    const shown = isReference ? first.flatMap((id) => this.#nameIn(id) ?? []) : first;
    const preview = isPlain ? valueWords(shown) : "";
    return this.#folded(path, counted(value.length, "item"), preview, () =>
      value.slice(0, maximumLines).map((item, index) => [String(index), item, each] as const),
    );
  }

  /** The name of a referenced record; its id where ids are shown, or it has no name. */
  #nameIn(id: unknown): unknown {
    const name = typeof id === "string" ? this.#view.recordNameOf?.(id) : undefined;
    return name ?? (this.#view.hidesIds === true ? undefined : id);
  }

  #object(
    path: readonly string[],
    value: Readonly<Record<string, unknown>>,
    property: AnyProperty,
  ): DrawnValue {
    const names = Object.keys(value);
    const properties = ownMember(property, "properties");
    const inner = isJsonObject(properties) ? properties : {};
    const preview = names.slice(0, 6).join(", ");
    return this.#folded(path, counted(names.length, "field"), preview, () =>
      names.slice(0, maximumLines).map((name) => {
        const member = ownMember(inner, name);
        return [name, value[name], isProperty(member) ? member : untyped] as const;
      }),
    );
  }
}

const systemTitleWidth = "version".length;

/** A record's properties in the order of the Object Type, then others, then the system fields. */
export function recordLines(type: ObjectType, record: Resource, view: RecordView): RecordLine[] {
  const form = formOf(type);
  const fields = form.fieldsOf(record);
  let widest = systemTitleWidth;
  for (const { titleWidth } of fields) widest = Math.max(widest, titleWidth);
  const drawing = new RecordDrawing(view, widest, form.isClosed(record));
  for (const field of fields) {
    const { name, title, property } = field;
    const value = record.data[name];
    const drawn =
      field.isStatus && typeof value === "string"
        ? form.status(record, field, value)
        : drawing.draw([name], value, property);
    drawing.put([name], title, drawn);
  }
  const { created_at, created_by, updated_at, updated_by } = record;
  const when = (at: string | undefined, by: string | null | undefined): string => {
    const distance = at === undefined ? "" : distanceWords(at, view.nowMs);
    const author = by === null || by === undefined ? "" : `by ${view.nameOf(by) ?? by}`;
    return `${distance} ${author}`.trim();
  };
  const ids = view.hidesIds === true ? [] : [["id", record.id, ""] as const];
  const system = [
    ...ids,
    ["version", String(record.version), ""],
    ["created", created_at ?? "", when(created_at, created_by)],
    ["updated", updated_at ?? "", when(updated_at, updated_by)],
  ] as const;
  for (const [title, text, note] of system) {
    drawing.put([title], title, { text, as: "quiet", note });
  }
  return drawing.lines;
}

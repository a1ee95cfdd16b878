import type { ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { isProperty, textIn, type AnyProperty } from "../../kit/data-fields/property.ts";
import { headingOf, titleOf, type RecordNameOf } from "../../kit/data-fields/record-columns.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText, textWidth, wrapText } from "../../kit/text/text-layout.ts";
import { isStatusName, statusLook, type Token } from "../../kit/theme/theme.ts";
import { countWords, distanceWords, valueWords } from "../../kit/text/words.ts";
import { actionsOf } from "../actions/record-action.ts";
import { fileFacts, storedIn } from "./file-values.ts";

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
  readonly width: number;
  readonly nowMs: number;
  /** Places of lists, objects and texts that show their content. */
  readonly unfolded: ReadonlySet<string>;
  readonly nameOf: (oid: string) => string;
  readonly recordNameOf?: RecordNameOf | undefined;
}

const maximumNameWidth = 24;
/** The JSON tab shows longer lists. */
const maximumLines = 2_000;
/** Lines of a folded long text. */
const foldedLines = 8;

interface DrawnValue {
  readonly text: string;
  readonly as?: Token | undefined;
  /** Quiet words after the value. */
  readonly note?: string;
  readonly action?: LineAction;
  readonly members?: readonly (readonly [name: string, value: unknown, property: AnyProperty])[];
}

const untyped: AnyProperty = { type: "" };

/** A GeoJSON point as `53.4043 N, 2.9561 W`. */
function pointWords(value: unknown): string | undefined {
  if (!isJsonObject(value) || !Array.isArray(value["coordinates"])) return undefined;
  const [longitude, latitude] = value["coordinates"] as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") return undefined;
  const north = `${Math.abs(latitude)} ${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${Math.abs(longitude)} ${longitude < 0 ? "W" : "E"}`;
}

function drawnFile(property: string, value: unknown): DrawnValue | undefined {
  const file = storedIn(value);
  if (file === undefined) return undefined;
  const { filename: text } = file;
  return { text, as: "link", note: fileFacts(file), action: { kind: "file", property } };
}

class RecordDrawing {
  readonly lines: RecordLine[] = [];
  readonly #view: RecordView;
  readonly #nameWidth: number;

  constructor(view: RecordView, names: readonly string[]) {
    this.#view = view;
    const widest = Math.max(0, ...names.map((name) => textWidth(name)));
    this.#nameWidth = Math.min(widest, maximumNameWidth, Math.floor(view.width / 2));
  }

  put(path: readonly string[], title: string, drawn: DrawnValue): void {
    const room = Math.max(1, this.#view.width - this.#nameWidth - 2);
    const indent = "  ".repeat(Math.min(path.length - 1, 6));
    const { rows, action } = this.#rows(path, drawn, room);
    const { note = "" } = drawn;
    const texts: { text: string; as: Token | undefined }[] = (rows.length === 0 ? [""] : rows).map(
      (text) => ({ text, as: drawn.as }),
    );
    const fits = note !== "" && textWidth(texts.at(-1)?.text ?? "") + textWidth(note) + 2 <= room;
    if (!fits && note !== "") {
      texts.push(...wrapText(note, room).map((text) => ({ text, as: "quiet" as const })));
    }
    texts.forEach((text, index) => {
      const name = fitText(index === 0 ? indent + title : "", this.#nameWidth);
      const isLast = index === texts.length - 1;
      const end: StyledLine =
        fits && isLast ? [{ text: `  ${fitText(note, textWidth(note))}`, as: "quiet" }] : [];
      this.lines.push({ action, spans: [{ text: `${name}  `, as: "quiet" }, text, ...end] });
    });
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
    const target = textIn(property, "targetObjectType");
    if (target !== undefined && typeof value === "string") {
      const action = { kind: "record", objectType: target, id: value } as const;
      const recordName = this.#view.recordNameOf?.(value);
      const isNamed = recordName !== undefined && recordName !== value;
      const note = isNamed ? `${target} ${value}` : target;
      return { text: `→ ${recordName ?? value}`, as: "link", note, action };
    }
    const isTime = property.type === "date" || property.type === "datetime";
    if (isTime && typeof value === "string") {
      return { text: value, note: distanceWords(value, this.#view.nowMs) };
    }
    const file = property.type === "file" ? drawnFile(name, value) : undefined;
    if (file !== undefined) return file;
    const point = property.type === "geopoint" ? pointWords(value) : undefined;
    if (point !== undefined) return { text: point };
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
    const items = ownMember(property, "items");
    const each = target !== undefined ? property : isProperty(items) ? items : untyped;
    const isReference = textIn(each, "targetObjectType") !== undefined;
    if (isPlain && !isReference && value.length <= 20) return { text: valueWords(value) };
    const preview = isPlain ? valueWords(value.slice(0, 5)) : "";
    return this.#folded(path, counted(value.length, "item"), preview, () =>
      value.slice(0, maximumLines).map((item, index) => [String(index), item, each] as const),
    );
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

/** A status with its sign and its possible actions: `● open  (Decide → decided)`. */
function drawnStatus(type: ObjectType, record: Resource, name: string, value: string): DrawnValue {
  const { glyph, token } = statusLook(value);
  const actions = actionsOf(type, record, undefined)
    .filter(({ property, reason }) => property === name && reason === undefined)
    .map(({ words, to }) => `${words} → ${to}`);
  const note = actions.length === 0 ? "" : `(${actions.join(", ")})`;
  return { text: `${glyph} ${value}`, as: token, note };
}

/** A record's properties in the order of the Object Type, then others, then the system fields. */
export function recordLines(type: ObjectType, record: Resource, view: RecordView): RecordLine[] {
  const properties = new Map(Object.entries<AnyProperty>(dataFields(type)));
  const named = [...properties.keys()].filter((name) => Object.hasOwn(record.data, name));
  const others = Object.keys(record.data).filter((name) => !properties.has(name));
  const titles = new Map([...named, ...others].map((name) => [name, titleOf(type, name)]));
  const drawing = new RecordDrawing(view, [...titles.values(), headingOf("version")]);
  for (const [name, title] of titles) {
    const value = record.data[name];
    const drawn =
      isStatusName(name) && typeof value === "string"
        ? drawnStatus(type, record, name, value)
        : drawing.draw([name], value, properties.get(name) ?? untyped);
    drawing.put([name], title, drawn);
  }
  const { created_at, created_by, updated_at, updated_by } = record;
  const quiet = (title: string, text: string, note = "") =>
    drawing.put([title], title, { text, as: "quiet", note });
  const when = (at: string | undefined, by: string | null | undefined) =>
    [
      at === undefined ? "" : distanceWords(at, view.nowMs),
      by === null || by === undefined ? "" : `by ${view.nameOf(by)}`,
    ]
      .filter((words) => words !== "")
      .join(" ");
  quiet("id", record.id);
  quiet("version", String(record.version));
  quiet("created", created_at ?? "", when(created_at, created_by));
  quiet("updated", updated_at ?? "", when(updated_at, updated_by));
  return drawing.lines;
}

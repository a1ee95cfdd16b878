import type { ObjectType, Resource } from "#client/index.ts";
import { counted } from "#lib/counted.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { ownMember } from "#lib/own-member.ts";
import { dataFields } from "../../kit/data-fields/data-fields.ts";
import { isProperty, textIn, type AnyProperty } from "../../kit/data-fields/property.ts";
import { actionsOf } from "../actions/record-action.ts";
import { headingOf, titleOf } from "../../kit/data-fields/record-columns.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText, textWidth, wrapText } from "../../kit/text/text-layout.ts";
import { isStatusName, statusLook, type Token } from "../../kit/theme/theme.ts";
import { countWords, distanceWords, sizeWords, valueWords } from "../../kit/text/words.ts";

/** What Enter does on a line. */
export type LineAct =
  | { readonly kind: "record"; readonly objectType: string; readonly id: string }
  /** Shows or hides what is in it; the place is a path of names. */
  | { readonly kind: "fold"; readonly place: string }
  | { readonly kind: "file"; readonly property: string };

export interface RecordLine {
  readonly spans: StyledLine;
  readonly act: LineAct | undefined;
}

export interface RecordView {
  readonly width: number;
  /** Milliseconds since 1970, for how long ago things were. */
  readonly nowMs: number;
  /** Places of lists and objects that are shown with what is in them. */
  readonly unfolded: ReadonlySet<string>;
  /** Who an id is. */
  readonly nameOf: (oid: string) => string;
  /** What a record is called that is referred to, where that is known. */
  readonly recordNameOf?: ((id: string) => string | undefined) | undefined;
}

const maximumNameWidth = 24;
/** A list of thousands is for the JSON. */
const maximumLines = 2_000;
/** Lines of a longer text, which Enter shows whole: what comes below it stays in reach. */
const longTextLines = 8;

/** How one value is drawn. */
interface Shown {
  readonly text: string;
  readonly as?: Token | undefined;
  /** Said beside it, quietly. */
  readonly beside?: string;
  readonly act?: LineAct;
  /** What is in it, where it is unfolded. */
  readonly inside?: readonly (readonly [name: string, value: unknown, property: AnyProperty])[];
}

const untyped: AnyProperty = { type: "" };

/** `53.4043 N, 2.9561 W` out of a GeoJSON point. */
function pointWords(value: unknown): string | undefined {
  if (!isJsonObject(value) || !Array.isArray(value["coordinates"])) return undefined;
  const [longitude, latitude] = value["coordinates"] as unknown[];
  if (typeof longitude !== "number" || typeof latitude !== "number") return undefined;
  const north = `${Math.abs(latitude)} ${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${Math.abs(longitude)} ${longitude < 0 ? "W" : "E"}`;
}

/** `plans.pdf` and its facts out of a file's value. */
function fileShown(name: string, value: unknown): Shown | undefined {
  if (!isJsonObject(value) || typeof value["filename"] !== "string") return undefined;
  const { filename, size, contentType } = value;
  const facts = [
    sizeWords(typeof size === "number" ? size : undefined),
    typeof contentType === "string" ? contentType : "",
  ];
  return {
    text: filename,
    as: "link",
    beside: facts.filter((fact) => fact !== "").join("  "),
    act: { kind: "file", property: name },
  };
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

  put(path: readonly string[], title: string, given: Shown): void {
    const { width } = this.#view;
    const room = Math.max(1, width - this.#nameWidth - 2);
    const indent = "  ".repeat(Math.min(path.length - 1, 6));
    const { rows, shown } = this.#rows(path, given, room);
    const texts = rows.length === 0 ? [""] : [...rows];
    const last = texts.at(-1) ?? "";
    const { beside = "" } = shown;
    const fits = beside !== "" && textWidth(last) + textWidth(beside) + 2 <= room;
    if (beside !== "" && !fits) texts.push(...wrapText(beside, room));
    texts.forEach((text, index) => {
      const isBeside = !fits && index >= rows.length && beside !== "";
      this.lines.push({
        act: shown.act,
        spans: [
          { text: `${fitText(index === 0 ? indent + title : "", this.#nameWidth)}  `, as: "quiet" },
          { text, as: isBeside ? "quiet" : shown.as },
          ...(fits && index === texts.length - 1
            ? [{ text: `  ${fitText(beside, textWidth(beside))}`, as: "quiet" as const }]
            : []),
        ],
      });
    });
    for (const [name, value, property] of shown.inside ?? []) {
      if (this.lines.length >= maximumLines) return;
      const inner = [...path, name];
      this.put(inner, name, this.shown(inner, value, property));
    }
  }

  /** A value's lines; a text of many is folded, and not even wrapped as a whole. */
  #rows(
    path: readonly string[],
    shown: Shown,
    room: number,
  ): { readonly rows: readonly string[]; readonly shown: Shown } {
    const { text, act } = shown;
    const start = text.slice(0, room * longTextLines * 2);
    const rows = wrapText(start, room);
    if (act !== undefined || (rows.length <= longTextLines && start.length === text.length)) {
      return { rows: act === undefined ? rows : wrapText(text, room), shown };
    }
    const place = JSON.stringify(path);
    const folding: Shown = { ...shown, act: { kind: "fold", place } };
    if (this.#view.unfolded.has(place)) {
      const whole = wrapText(text, room);
      const hidden = whole.length - maximumLines;
      const rest = hidden > 0 ? [`… ${countWords(hidden)} more lines are in the JSON`] : [];
      return { rows: [...whole.slice(0, maximumLines), ...rest], shown: folding };
    }
    const words = `▸ ${countWords(text.length)} characters in all`;
    return { rows: [...rows.slice(0, longTextLines - 1), words], shown: folding };
  }

  /** A value in the words of its type. */
  shown(path: readonly string[], value: unknown, property: AnyProperty): Shown {
    const name = path.at(-1) ?? "";
    if (value === null) return { text: "null", as: "quiet" };
    const target = textIn(property, "targetObjectType");
    if (target !== undefined && typeof value === "string") {
      const act = { kind: "record", objectType: target, id: value } as const;
      const called = this.#view.recordNameOf?.(value);
      const beside = called === undefined ? target : `${target} ${value}`;
      return { text: `→ ${called ?? value}`, as: "link", beside, act };
    }
    const isTime = property.type === "date" || property.type === "datetime";
    if (isTime && typeof value === "string") {
      return { text: value, beside: distanceWords(value, this.#view.nowMs) };
    }
    if (property.type === "file") {
      const file = fileShown(name, value);
      if (file !== undefined) return file;
    }
    const point = property.type === "geopoint" ? pointWords(value) : undefined;
    if (point !== undefined) return { text: point };
    if (Array.isArray(value)) return this.#list(path, value, property, target);
    if (isJsonObject(value)) return this.#object(path, value, property);
    return { text: valueWords(value) };
  }

  #fold(path: readonly string[], words: string, beside: string): [Shown, boolean] {
    const place = JSON.stringify(path);
    const isOpen = this.#view.unfolded.has(place);
    const act = { kind: "fold", place } as const;
    return [{ text: `${isOpen ? "▾" : "▸"} ${words}`, act, ...(isOpen ? {} : { beside }) }, isOpen];
  }

  #list(
    path: readonly string[],
    value: readonly unknown[],
    property: AnyProperty,
    target: string | undefined,
  ): Shown {
    const isPlain = value.every((item) => typeof item !== "object" || item === null);
    if (value.length === 0) return { text: "none", as: "quiet" };
    const items = ownMember(property, "items");
    const each = target !== undefined ? property : isProperty(items) ? items : untyped;
    const isFollowed = textIn(each, "targetObjectType") !== undefined;
    if (isPlain && !isFollowed && value.length <= 20) return { text: valueWords(value) };
    const words = counted(value.length, "item");
    const [shown, isOpen] = this.#fold(path, words, isPlain ? valueWords(value.slice(0, 5)) : "");
    if (!isOpen) return shown;
    return {
      ...shown,
      inside: value
        .slice(0, maximumLines)
        .map((item, index) => [String(index), item, each] as const),
    };
  }

  #object(
    path: readonly string[],
    value: Readonly<Record<string, unknown>>,
    property: AnyProperty,
  ): Shown {
    const names = Object.keys(value);
    const words = counted(names.length, "field");
    const [shown, isOpen] = this.#fold(path, words, names.slice(0, 6).join(", "));
    if (!isOpen) return shown;
    const properties = ownMember(property, "properties");
    const inner = isJsonObject(properties) ? properties : {};
    return {
      ...shown,
      inside: names.slice(0, maximumLines).map((name) => {
        const member = ownMember(inner, name);
        return [name, value[name], isProperty(member) ? member : untyped] as const;
      }),
    };
  }
}

/** `open`, its sign, and what can be done in it: `(decide → decided)`. */
function statusShown(type: ObjectType, record: Resource, name: string, value: string): Shown {
  const { glyph, token } = statusLook(value);
  const ways = actionsOf(type, record, undefined).filter(
    (action) => action.property === name && action.reason === undefined,
  );
  const words = ways.map((action) => `${action.words} → ${action.to}`).join(", ");
  return {
    text: `${glyph} ${value}`,
    as: token,
    ...(words === "" ? {} : { beside: `(${words})` }),
  };
}

/** A record's properties in the Object Type's order, then others, then the system's own. */
export function recordLines(type: ObjectType, record: Resource, view: RecordView): RecordLine[] {
  const properties = new Map(Object.entries<AnyProperty>(dataFields(type)));
  const named = [...properties.keys()].filter((name) => Object.hasOwn(record.data, name));
  const others = Object.keys(record.data).filter((name) => !properties.has(name));
  const titles = new Map([...named, ...others].map((name) => [name, titleOf(type, name)]));
  const drawing = new RecordDrawing(view, [...titles.values(), headingOf("version")]);
  for (const [name, title] of titles) {
    const value = record.data[name];
    const shown =
      isStatusName(name) && typeof value === "string"
        ? statusShown(type, record, name, value)
        : drawing.shown([name], value, properties.get(name) ?? untyped);
    drawing.put([name], title, shown);
  }
  const { created_at, created_by, updated_at, updated_by } = record;
  const quiet = (title: string, text: string, beside = "") =>
    drawing.put([title], title, { text, as: "quiet", beside });
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

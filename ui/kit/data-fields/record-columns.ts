import type { ObjectType, Resource } from "#client/index.ts";
import { filledText, isJsonObject } from "#lib/json-value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Column } from "../table/columns.ts";
import { dataFields, type DataFields } from "./data-fields.ts";
import { targetOf, type AnyProperty } from "./property.ts";
import { isStatusName, statusLook, type Token } from "../theme/theme.ts";
import { ageWords, valueWords } from "../text/words.ts";

/** Names that make good first columns: what people call a record by. */
const callingNames = ["reference", "number", "code", "key", "name", "title", "slug", "subject"];
const maximumColumns = 14;

/** How much a property tells: what stays when the table gets narrow. */
function rank(name: string, type: string): number {
  const calling = callingNames.indexOf(name);
  if (calling !== -1) return calling;
  if (name === "status" || name === "state") return 20;
  return type === "text" ? 60 : 40;
}

/** Columns of the screen below which a property's values say nothing. */
function leastColumns(type: string): number {
  switch (type) {
    case "boolean":
      return 5;
    case "integer":
    case "number":
      return 6;
    case "date":
    case "datetime":
    case "enum":
      return 11;
    case "text":
      return 20;
    default:
      return 16;
  }
}

/** A name as a heading: `decision_date` as `decision date`. */
export function headingOf(name: string): string {
  return name.replaceAll("_", " ");
}

function statusToken(value: unknown): Token | undefined {
  if (typeof value !== "string") return undefined;
  const { token } = statusLook(value);
  return token === "text" ? undefined : token;
}

/** What people call a record: its first telling property, else its id. */
export function recordName(record: Resource): string {
  return nameIn(record.data) ?? record.id;
}

/** The first telling property of a record's data. */
export function nameIn(data: Resource["data"]): string | undefined {
  for (const name of callingNames) {
    const value = data[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

const tellingTexts = 2;
const tellingLength = 60;

/** What tells a record from others beside its id: its name, else its first texts, else nothing. */
export function tellingWords({ data }: Resource): string | undefined {
  const name = nameIn(data);
  if (name !== undefined) return name;
  const texts = Object.values(data).filter(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  );
  if (texts.length === 0) return undefined;
  return texts
    .slice(0, tellingTexts)
    .map((text) => text.slice(0, tellingLength))
    .join(" · ");
}

const systemTitles = {
  id: "id",
  version: "version",
  created_at: "created",
  updated_at: "updated",
} as const;
type SystemName = keyof typeof systemTitles;

function isSystem(name: string): name is SystemName {
  return Object.hasOwn(systemTitles, name);
}

function isNested(type: string): boolean {
  return ["object", "array", "file", "geopoint"].includes(type);
}

/** A column that can be shown. */
export interface PossibleColumn {
  readonly id: string;
  readonly title: string;
}

function fieldOf(type: ObjectType, name: string): DataFields[string] | undefined {
  return ownMember(dataFields(type), name);
}

/** What a property or link is called: its own words, else its name as a heading. */
export function titleOf(type: ObjectType, name: string): string {
  const property = fieldOf(type, name);
  if (property === undefined) return isSystem(name) ? systemTitles[name] : headingOf(name);
  const title = "displayName" in property ? property.displayName : undefined;
  return headingOf(typeof title === "string" ? title : name);
}

/** Every column that a type's table can have: its properties and links, then the system's own. */
export function possibleColumns(type: ObjectType): PossibleColumn[] {
  const names = [...Object.keys(dataFields(type)), ...Object.keys(systemTitles)];
  return [...new Set(names)].map((id) => ({ id, title: titleOf(type, id) }));
}

/** The columns that a type's table has unless others were chosen: telling ones, nested ones not. */
export function standardColumns(type: ObjectType): string[] {
  const names = tellingNames(type);
  const [first] = names;
  // What a record is called comes first; the others stand as the Object Type has them.
  const places = Object.keys(type.properties);
  const ordered = names.toSorted((a, b) =>
    a === first ? -1 : b === first ? 1 : places.indexOf(a) - places.indexOf(b),
  );
  return ordered.length === 0 ? ["id", "updated_at"] : [...ordered, "updated_at"];
}

/** The most telling properties, best first. */
function tellingNames(type: ObjectType): string[] {
  return Object.entries(type.properties)
    .filter(([, property]) => !isNested(property.type))
    .map(([name, property]) => ({ name, rank: rank(name, property.type) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maximumColumns)
    .map(({ name }) => name);
}

function systemColumn(name: SystemName, nowMs: number): Omit<Column<Resource>, "priority"> {
  const base = { id: name, title: systemTitles[name] };
  switch (name) {
    case "id":
      return { ...base, value: (record) => record.id, minimum: 12, maximum: 36 };
    case "version":
      return { ...base, value: (record) => String(record.version), align: "right" };
    case "created_at":
      return { ...base, value: (record) => ageWords(record.created_at, nowMs), minimum: 10 };
    case "updated_at":
      return {
        ...base,
        value: (record) => ageWords(record.updated_at ?? record.created_at, nowMs),
        minimum: 10,
      };
  }
}

/** What a record is called that another refers to, where that is known. */
export type RecordNameOf = (id: string) => string | undefined;

/** A reference, or a list of them, in one line: by name where that is known, else by id. */
export function calledWords(value: unknown, recordNameOf: RecordNameOf): string {
  const called = (one: unknown) => (typeof one === "string" ? (recordNameOf(one) ?? one) : one);
  return valueWords(Array.isArray(value) ? value.map(called) : called(value));
}

/** The name of a stored file; nothing for what is none. */
function filenameIn(value: unknown): string | undefined {
  return isJsonObject(value) ? filledText(value["filename"]) : undefined;
}

function propertyColumn(
  type: ObjectType,
  name: string,
  property: AnyProperty | undefined,
  { nowMs, recordNameOf }: { readonly nowMs: number; readonly recordNameOf: RecordNameOf },
): Omit<Column<Resource>, "priority"> {
  const kind = property?.type ?? "";
  const isReference = property !== undefined && targetOf(property) !== undefined;
  return {
    id: name,
    title: titleOf(type, name),
    value: ({ data }) => {
      const value = ownMember(data, name);
      if (isReference) return calledWords(value, recordNameOf);
      if (kind === "file") return filenameIn(value) ?? valueWords(value);
      if (typeof value !== "string") return valueWords(value);
      if (isStatusName(name)) return `${statusLook(value).glyph} ${value}`;
      return kind === "datetime" ? ageWords(value, nowMs) : value;
    },
    ...(isStatusName(name) ? { token: ({ data }) => statusToken(ownMember(data, name)) } : {}),
    align: kind === "integer" || kind === "number" ? "right" : "left",
    maximum: kind === "text" ? 48 : 32,
    minimum: leastColumns(kind),
  };
}

/**
 * A table's columns: those that were chosen, in their order and the first ones kept longest; else
 * the type's own. A name that the type no longer has is passed over.
 */
export function recordColumns(
  type: ObjectType,
  nowMs: number,
  chosen?: readonly string[],
  recordNameOf: RecordNameOf = () => undefined,
): Column<Resource>[] {
  const known = (chosen ?? []).filter(
    (name) => fieldOf(type, name) !== undefined || isSystem(name),
  );
  const names = known.length > 0 ? known : standardColumns(type);
  const telling = tellingNames(type);
  const priorityOf = (name: string, index: number) => {
    if (known.length > 0 || index === 0) return index;
    const place = telling.indexOf(name);
    return place === -1 ? 3.5 : place;
  };
  return names.map((name, index): Column<Resource> => {
    const property = fieldOf(type, name);
    const column =
      property === undefined && isSystem(name)
        ? systemColumn(name, nowMs)
        : propertyColumn(type, name, property, { nowMs, recordNameOf });
    return {
      ...column,
      ...(index === 0 ? { minimum: 12, pinned: true } : {}),
      priority: priorityOf(name, index),
    };
  });
}

/** Fields that a list can be sorted by: the scalar properties and the system's own times. */
export function sortableFields(type: ObjectType): string[] {
  const scalar = Object.entries(type.properties)
    .filter(([, property]) => !isNested(property.type))
    .map(([name]) => name);
  return ["created_at", "updated_at", ...scalar];
}

import type { ObjectType, Resource } from "#client/index.ts";
import { given } from "#lib/given.ts";
import { filledText, isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Column } from "../table/columns.ts";
import { dataFields, type DataFields, type DefinedFields } from "./data-fields.ts";
import {
  dueDistance,
  hasMeaning,
  isClosed,
  isStatus,
  amountWords,
  propertyMeaning,
  statusOf,
  type MeantValue,
} from "./meaning.ts";
import { targetOf, type AnyProperty } from "./property.ts";
import type { Token } from "../theme/skin.ts";
import { ageWords, numberWords, valueWords } from "../text/words.ts";

/** Property names that identify a record for a reader, best first. */
const identifyingNames = ["reference", "number", "code", "key", "name", "title", "slug", "subject"];
const maximumColumns = 14;

function rank(name: string, property: AnyProperty): number {
  const { type } = property;
  if (hasMeaning(property, "title")) return -1;
  if (hasMeaning(property, "status")) return 20;
  if (hasMeaning(property, "due")) return 21;
  const identifying = identifyingNames.indexOf(name);
  if (identifying !== -1) return identifying;
  if (name === "status" || name === "state") return 20;
  return type === "text" ? 60 : 40;
}

function minimumWidth(type: string): number {
  if (type === "boolean") return 5;
  // A number without its last digits is another one.
  if (type === "integer" || type === "number") return 14;
  if (type === "datetime") return 7;
  if (type === "date" || type === "enum") return 11;
  return type === "text" ? 20 : 16;
}

/** A name as a heading: `decision_date` as `decision date`. */
export function headingOf(name: string): string {
  return name.replaceAll("_", " ");
}

function statusToken(property: AnyProperty | undefined, value: unknown): Token | undefined {
  if (typeof value !== "string") return undefined;
  const { token } = statusOf(property, value);
  return token === "text" ? undefined : token;
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The name of a record for a reader: its title, else its first identifying property or its id. */
export function recordName(record: Resource, type: DefinedFields | undefined): string {
  return nameIn(record.data, type) ?? record.id;
}

export function nameIn(
  data: Resource["data"],
  type: DefinedFields | undefined,
): string | undefined {
  const names = type === undefined ? identifyingNames : namesOf(type);
  return names.map((name) => data[name]).find(isFilled);
}

// A table names the records of one type in each frame.
const typeNames = new WeakMap<DefinedFields, readonly string[]>();

function namesOf(type: DefinedFields): readonly string[] {
  const known = typeNames.get(type);
  if (known !== undefined) return known;
  const title = propertyMeaning(type, "title")?.name;
  const names = title === undefined ? identifyingNames : [title, ...identifyingNames];
  typeNames.set(type, names);
  return names;
}

const summaryTexts = 2;
const summaryTextLength = 60;

/** Words that identify a record: its name, else its first texts; `undefined` without a text. */
export function recordSummary(
  { data }: Resource,
  type: DefinedFields | undefined,
): string | undefined {
  const texts = Object.values(data).filter(isFilled);
  const summary = texts.slice(0, summaryTexts).map((text) => text.slice(0, summaryTextLength));
  return nameIn(data, type) ?? (summary.length === 0 ? undefined : summary.join(" · "));
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
  return ["object", "array", "file", "geopoint", "geometry"].includes(type);
}

function fieldOf(type: ObjectType, name: string): DataFields[string] | undefined {
  return ownMember(dataFields(type), name);
}

/** The title of a property or link: its display name, else its name as a heading. */
export function titleOf(type: ObjectType, name: string): string {
  const property = fieldOf(type, name);
  if (property === undefined) return isSystem(name) ? systemTitles[name] : headingOf(name);
  const title = "displayName" in property ? property.displayName : undefined;
  return headingOf(typeof title === "string" ? title : name);
}

/** All columns that a type's table can have: properties and links, then the system fields. */
export function possibleColumns(
  type: ObjectType,
): { readonly id: string; readonly title: string }[] {
  const names = [...Object.keys(dataFields(type)), ...Object.keys(systemTitles)];
  return [...new Set(names)].map((id) => ({ id, title: titleOf(type, id) }));
}

/** The default columns of a type's table: the best-ranked scalar properties. */
export function standardColumns(type: ObjectType): string[] {
  const [first, ...others] = rankedNames(type);
  if (first === undefined) return ["id", "updated_at"];
  // The name of a record is first; the others keep the order of the Object Type.
  const ordered = Object.keys(type.properties).filter((name) => others.includes(name));
  return [first, ...ordered, "updated_at"];
}

function rankedNames(type: ObjectType): string[] {
  return Object.entries(type.properties)
    .filter(([, property]) => !isNested(property.type))
    .map(([name, property]) => ({ name, rank: rank(name, property) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maximumColumns)
    .map(({ name }) => name);
}

function systemColumn(name: SystemName, nowMs: number): Omit<Column<Resource>, "priority"> {
  const base = { id: name, title: systemTitles[name] };
  if (name === "id") return { ...base, value: ({ id }) => id, minimum: 12, maximum: 36 };
  if (name === "version") {
    return { ...base, value: ({ version }) => String(version), align: "right" };
  }
  const timeOf = (record: Resource) => record[name] ?? record.created_at;
  return { ...base, value: (record) => ageWords(timeOf(record), nowMs) };
}

/** The name of a record, or its id if it has none; `undefined` until the platform has answered. */
export type RecordNameOf = (id: string) => string | undefined;

const noNames: RecordNameOf = () => undefined;

/** A reference, or a list of them, in one line: names if they are known, else ids. */
export function referenceWords(value: unknown, recordNameOf: RecordNameOf): string {
  const named = (id: unknown) => (typeof id === "string" ? (recordNameOf(id) ?? id) : id);
  return valueWords(Array.isArray(value) ? value.map(named) : named(value));
}

/** Names of a list beyond the first may not be asked for. */
function isUnnamed(value: unknown, recordNameOf: RecordNameOf): boolean {
  const [id] = Array.isArray(value) ? (value as unknown[]) : [value];
  return typeof id === "string" && id !== "" && recordNameOf(id) === undefined;
}

/** The name of a stored file; `undefined` for another value. */
function filenameIn(value: unknown): string | undefined {
  return isJsonObject(value) ? filledText(value["filename"]) : undefined;
}

/** A due date as its distance; that of a record that is done as its date. */
function dueColumn(
  type: ObjectType,
  name: string,
  nowMs: number,
): Omit<Column<Resource>, "priority"> {
  const dueOf = ({ data }: Resource): MeantValue => {
    const value = ownMember(data, name);
    if (typeof value !== "string") return { text: valueWords(value) };
    if (isClosed(type, data)) return { text: value.slice(0, dateLength), token: "quiet" };
    const due = dueDistance(value, nowMs, false);
    return due.text === "" ? { text: value } : due;
  };
  return {
    id: name,
    title: titleOf(type, name),
    value: (record) => dueOf(record).text,
    token: (record) => dueOf(record).token,
    minimum: 10,
  };
}

const dateLength = "2026-11-27".length;

function propertyColumn(
  type: ObjectType,
  name: string,
  property: AnyProperty | undefined,
  { nowMs, recordNameOf }: { readonly nowMs: number; readonly recordNameOf?: RecordNameOf },
): Omit<Column<Resource>, "priority"> {
  const kind = property?.type ?? "";
  const isReference = property !== undefined && targetOf(property) !== undefined;
  if (hasMeaning(property, "due")) return dueColumn(type, name, nowMs);
  const drawsStatus = isStatus(name, property);
  return {
    id: name,
    title: titleOf(type, name),
    value: ({ data }) => {
      const value = ownMember(data, name);
      if (isReference) return referenceWords(value, recordNameOf ?? noNames);
      if (kind === "file") return filenameIn(value) ?? valueWords(value);
      if (typeof value === "boolean") return value ? "yes" : "no";
      if (typeof value === "number") return amountWords(property, value) ?? numberWords(value);
      if (typeof value !== "string") return valueWords(value);
      if (drawsStatus) return `${statusOf(property, value).glyph} ${value}`;
      return kind === "datetime" ? ageWords(value, nowMs) : value;
    },
    ...(isReference && recordNameOf !== undefined
      ? { isPending: ({ data }) => isUnnamed(ownMember(data, name), recordNameOf) }
      : {}),
    ...(drawsStatus ? { token: ({ data }) => statusToken(property, ownMember(data, name)) } : {}),
    align: kind === "integer" || kind === "number" ? "right" : "left",
    maximum: kind === "text" ? 48 : 32,
    // A status is short, and its end tells it from others.
    minimum: drawsStatus ? 20 : minimumWidth(kind),
  };
}

/**
 * The columns of a type's table: the chosen ones, else the default ones. A narrow table keeps the
 * first chosen ones. Names that the type no longer has are ignored.
 */
export function recordColumns(
  type: ObjectType,
  nowMs: number,
  chosen?: readonly string[],
  recordNameOf?: RecordNameOf,
): Column<Resource>[] {
  const known = (chosen ?? []).filter(
    (name) => fieldOf(type, name) !== undefined || isSystem(name),
  );
  const names = known.length > 0 ? known : standardColumns(type);
  const ranked = rankedNames(type);
  const priorityOf = (name: string, index: number) => {
    if (known.length > 0 || index === 0) return index;
    const priority = ranked.indexOf(name);
    return priority === -1 ? 3.5 : priority;
  };
  return names.map((name, index): Column<Resource> => {
    const property = fieldOf(type, name);
    const column =
      property === undefined && isSystem(name)
        ? systemColumn(name, nowMs)
        : propertyColumn(type, name, property, {
            nowMs,
            ...given({ recordNameOf }),
          });
    return {
      ...column,
      ...(index === 0 ? { minimum: 12, pinned: true } : {}),
      priority: priorityOf(name, index),
    };
  });
}

/** Fields that a list can be sorted by: the system times and the scalar properties. */
export function sortableFields(type: ObjectType): string[] {
  const scalar = Object.entries(type.properties)
    .filter(([, property]) => !isNested(property.type))
    .map(([name]) => name);
  return ["created_at", "updated_at", ...scalar];
}

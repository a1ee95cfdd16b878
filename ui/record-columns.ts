import type { ObjectType, Resource } from "#client/index.ts";
import type { Column } from "./columns.ts";
import { statusLook, type Token } from "./theme.ts";
import { ageWords, valueWords } from "./words.ts";

/** Names that make good first columns: what people call a record by. */
const callingNames = ["reference", "number", "code", "key", "name", "title", "slug", "subject"];
const statusNames = new Set(["status", "state", "stage", "decision"]);
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
  for (const name of callingNames) {
    const value = record.data[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return record.id;
}

/** A table's columns from an Object Type: telling ones first, nested ones left to the details. */
export function recordColumns(type: ObjectType, nowMs: number): Column<Resource>[] {
  const shown = Object.entries(type.properties)
    .filter(([, property]) => !["object", "array", "file", "geopoint"].includes(property.type))
    .map(([name, property], place) => ({ name, property, place, rank: rank(name, property.type) }));
  const telling = shown.toSorted((a, b) => a.rank - b.rank).slice(0, maximumColumns);
  const [first] = telling;
  // What a record is called comes first; the others stand as the Object Type has them.
  const ordered = telling.toSorted((a, b) =>
    a === first ? -1 : b === first ? 1 : a.place - b.place,
  );
  const columns = ordered.map(({ name, property }, index): Column<Resource> => {
    const { type: kind } = property;
    const title = "displayName" in property ? property.displayName : undefined;
    return {
      id: name,
      title: headingOf(typeof title === "string" ? title : name),
      value: ({ data }) => {
        const value = data[name];
        if (typeof value !== "string") return valueWords(value);
        if (statusNames.has(name)) return `${statusLook(value).glyph} ${value}`;
        return kind === "datetime" ? ageWords(value, nowMs) : value;
      },
      ...(statusNames.has(name) ? { token: ({ data }) => statusToken(data[name]) } : {}),
      align: kind === "integer" || kind === "number" ? "right" : "left",
      maximum: kind === "text" ? 48 : 32,
      minimum: index === 0 ? 12 : leastColumns(kind),
      priority: telling.findIndex((one) => one.name === name),
      pinned: index === 0,
    };
  });
  const updated: Column<Resource> = {
    id: "updated_at",
    title: "updated",
    value: (record) => ageWords(record.updated_at ?? record.created_at, nowMs),
    minimum: 10,
    priority: 3.5,
  };
  if (columns.length > 0) return [...columns, updated];
  return [
    { id: "id", title: "id", value: (record) => record.id, priority: 0, pinned: true },
    updated,
  ];
}

/** Fields that a list can be sorted by: the scalar properties and the system's own times. */
export function sortableFields(type: ObjectType): string[] {
  const scalar = Object.entries(type.properties)
    .filter(([, property]) => !["object", "array", "file", "geopoint"].includes(property.type))
    .map(([name]) => name);
  return ["created_at", "updated_at", ...scalar];
}

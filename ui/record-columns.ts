import type { ObjectType, Resource } from "#client/index.ts";
import type { Column } from "./columns.ts";
import { statusLook, type Token } from "./theme.ts";
import { ageWords, valueWords } from "./words.ts";

/** Names that make good first columns: what people call a record by. */
const callingNames = ["reference", "number", "code", "key", "name", "title", "slug", "subject"];
const statusNames = new Set(["status", "state", "stage", "decision"]);
const maximumColumns = 14;

function rank(name: string, type: string): number {
  const calling = callingNames.indexOf(name);
  if (calling !== -1) return calling;
  if (statusNames.has(name)) return 20;
  return type === "text" ? 60 : 40;
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
    .map(([name, property]) => ({ name, property, rank: rank(name, property.type) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maximumColumns);
  const columns = shown.map(({ name, property }, index): Column<Resource> => {
    const numeric = property.type === "integer" || property.type === "number";
    const time = property.type === "datetime";
    const title = "displayName" in property ? property.displayName : undefined;
    return {
      id: name,
      title: headingOf(typeof title === "string" ? title : name),
      value: ({ data }) => {
        const value = data[name];
        if (statusNames.has(name) && typeof value === "string") {
          return `${statusLook(value).glyph} ${value}`;
        }
        return time && typeof value === "string" ? ageWords(value, nowMs) : valueWords(value);
      },
      ...(statusNames.has(name) ? { token: ({ data }) => statusToken(data[name]) } : {}),
      align: numeric ? "right" : "left",
      maximum: property.type === "text" ? 48 : 32,
      minimum: index === 0 ? 12 : 8,
      priority: index,
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

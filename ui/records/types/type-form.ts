import type { Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { formField, type FormField } from "../../kit/forms/form-field.ts";
import { textsIn } from "../../kit/forms/field-text.ts";

/** The property types that one word describes; others need a file of Object Types. */
const plainTypes = [
  "string",
  "text",
  "integer",
  "number",
  "boolean",
  "date",
  "datetime",
  "email",
  "url",
  "geopoint",
  "file",
] as const;
type PlainType = (typeof plainTypes)[number];

const fieldLine = /^([A-Za-z_]\w*)\s+([a-z]+)(?:\s+([^\s!]+))?\s*(!?)$/;

/** The fields of the form that defines an Object Type. */
export const typeFields: readonly FormField[] = [
  formField("name", "name", { isRequired: true, hint: "in capitals: SiteVisit" }),
  formField("fields", "fields", {
    kind: "list",
    isRequired: true,
    hint: `one in each line: reference string! (required), stage enum open|closed; ${plainTypes.slice(1).join(" ")}`,
  }),
];

interface Property {
  readonly type: PlainType | "enum";
  readonly required?: boolean;
  readonly searchable?: boolean;
  readonly indexed?: boolean;
  readonly enum?: string[];
  readonly meaning?: "title" | "status" | "due";
}

function plainTypeOf(word: string): PlainType | undefined {
  return plainTypes.find((known) => known === word);
}

/** A line as a property, or why it is none. */
function propertyOf(line: string): { readonly name: string; readonly property: Property } | string {
  const [, name, word = "", values, sign] = fieldLine.exec(line.trim()) ?? [];
  if (name === undefined) return "must be a name and a type: due date";
  const required = sign === "!" ? { required: true } : {};
  if (word === "enum") {
    const choices = (values ?? "").split("|").filter((choice) => choice !== "");
    if (choices.length === 0) return "must have its values: stage enum open|closed";
    return { name, property: { type: "enum", ...required, indexed: true, enum: choices } };
  }
  const type = plainTypeOf(word);
  if (type === undefined) return `"${word}" is not one of ${[...plainTypes, "enum"].join(", ")}`;
  return { name, property: { type, ...required } };
}

/** The properties with their use: the first text is the title, the first choice the status. */
function withMeanings(
  named: readonly (readonly [name: string, property: Property])[],
): Record<string, Property> {
  const first = (type: Property["type"]) => named.find(([, each]) => each.type === type)?.[0];
  const title = first("string");
  const status = first("enum");
  return Object.fromEntries(
    named.map(([name, property]): [string, Property] => {
      if (name === title) return [name, { ...property, searchable: true, meaning: "title" }];
      if (name === status) return [name, { ...property, meaning: "status" }];
      if (name === "due" && property.type.startsWith("date")) {
        return [name, { ...property, indexed: true, meaning: "due" }];
      }
      return [name, property];
    }),
  );
}

function wordsOf(name: string): string[] {
  return name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").split(" ");
}

/** The definition that a filled form describes; invalid lines are left out. */
export function typeDefinition(data: JsonObject) {
  const name = textIn(data, "name") ?? "";
  const words = wordsOf(name).map((word) => word.toLowerCase());
  const lines = textsIn(data["fields"]).map(propertyOf);
  const named = lines.flatMap((line) =>
    typeof line === "string" ? [] : [[line.name, line.property] as const],
  );
  const [first = "", ...others] = words;
  return {
    name,
    slug: words.join("-"),
    displayName: [first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join(" "),
    properties: withMeanings(named),
  };
}

/** The faults of a form, at the lines that have them. */
export function typeFaults(data: JsonObject): Fault[] {
  const lines = textsIn(data["fields"]);
  const name = textIn(data, "name") ?? "";
  const names = lines.map((line) => /^\w+/.exec(line.trim())?.[0]);
  const nameFaults = /^[A-Z][A-Za-z0-9]*$/.test(name)
    ? []
    : [{ pointer: "/name", detail: "must begin with a capital, and have letters and digits only" }];
  const lineFaults = lines.flatMap((line, index) => {
    const read = propertyOf(line);
    const pointer = `/fields/${index}`;
    if (typeof read === "string") return [{ pointer, detail: read }];
    return names.indexOf(read.name) === index ? [] : [{ pointer, detail: "is given twice" }];
  });
  const empty = lines.length === 0 ? [{ pointer: "/fields", detail: "is required" }] : [];
  return [...nameFaults, ...empty, ...lineFaults];
}

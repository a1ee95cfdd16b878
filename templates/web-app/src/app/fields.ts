import type { ObjectType, Resource } from "svc";

/** A property as the form and the table show it. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  readonly choices: readonly string[];
  readonly help: string | undefined;
  /** The media types of a file. */
  readonly accept: string;
}

export type Data = Resource["data"];

/** The fields of an Object Type, in the order of its definition. */
export function fieldsOf({ properties }: Pick<ObjectType, "properties">): readonly Field[] {
  return Object.entries(properties).map(([name, property]) => {
    const { displayName, description, required, accept } = property;
    const choices = Array.isArray(property.enum) ? property.enum.map(String) : [];
    return {
      name,
      label: typeof displayName === "string" ? displayName : labelOf(name),
      type: property.type,
      required: required === true,
      choices,
      help: typeof description === "string" ? description : undefined,
      accept: Array.isArray(accept) ? accept.join(",") : "",
    };
  });
}

/** `annualFee` and `annual_fee` as "Annual fee". */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const longTypes = new Set(["text", "object", "array", "geometry"]);

/** The fields that a table has room for. */
export function columnsOf(fields: readonly Field[]): readonly Field[] {
  const short = fields.filter(({ type }) => !longTypes.has(type) && type !== "geopoint");
  return (short.length > 0 ? short : fields).slice(0, 5);
}

/** A value as people read it. */
export function textOf(value: unknown, type: string): string {
  if (value === undefined || value === null) return "";
  if (type === "boolean") return value === true ? "Yes" : "No";
  if (type === "date" || type === "datetime") return dateText(String(value), type === "datetime");
  if (typeof value === "number") return value.toLocaleString();
  if (typeof value !== "object") return String(value);
  if ("filename" in value) return String(value.filename);
  if (type === "geopoint" && "coordinates" in value && Array.isArray(value.coordinates)) {
    return value.coordinates.toReversed().join(", ");
  }
  if (type === "geometry" && "type" in value) return String(value.type);
  return JSON.stringify(value);
}

function dateText(value: string, hasTime: boolean): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return hasTime ? date.toLocaleString() : date.toLocaleDateString(undefined, { timeZone: "UTC" });
}

/** A value as the text of its form field; `valueOf` is the other way. */
export function inputText(value: unknown, type: string): string {
  if (value === undefined || value === null) return "";
  if (type === "datetime") return localTime(String(value));
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** The value of a form field's text; undefined for none. Throws for text of another type. */
export function valueOf(text: string, { label, type }: Pick<Field, "label" | "type">): unknown {
  if (type === "boolean") return text === "" ? undefined : text === "true";
  if (text.trim() === "") return undefined;
  if (type === "number" || type === "integer") {
    const number = Number(text);
    if (Number.isFinite(number)) return number;
    throw new Error(`${label} must be a number`);
  }
  if (type === "datetime") return new Date(text).toISOString();
  if (!["object", "array", "geopoint", "geometry"].includes(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${label} must be JSON`);
  }
}

/** The properties that differ; `null` removes one. */
export function changesOf(before: Data, after: Readonly<Record<string, unknown>>): Data {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] ?? undefined),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null])) as Data;
}

function localTime(value: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

import type { ObjectType, Resource } from "#client/index.ts";

/** The parts of an Object Type that define the fields of its records. */
export type DefinedFields = Pick<ObjectType, "properties" | "linkTypes">;
export type DataFields = ObjectType["properties"];

// A screen uses the fields of the same type in each frame.
const cache = new WeakMap<DefinedFields, DataFields>();

/** The fields of a type's records: properties, then links as references or lists of them. */
export function dataFields(type: DefinedFields): DataFields {
  const cached = cache.get(type);
  if (cached !== undefined) return cached;
  const links = (type.linkTypes ?? []).map((link): [string, DataFields[string]] => {
    const { name, targetObjectType, displayName } = link;
    const reference = { type: "reference", targetObjectType } as const;
    const isOne = link["cardinality"] === "one";
    const field = isOne ? reference : ({ type: "array", items: reference } as const);
    return [name, typeof displayName === "string" ? { ...field, displayName } : field];
  });
  const fields =
    links.length === 0 ? type.properties : { ...type.properties, ...Object.fromEntries(links) };
  cache.set(type, fields);
  return fields;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const isoDate = /^\d{4}-\d\d-\d\d$/;

/** The kind of a stored value; `undefined` where there is none. */
function kindOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return "array";
  if (typeof value !== "string") return typeof value;
  return isoTime.test(value) ? "datetime" : isoDate.test(value) ? "date" : "string";
}

const maximumFound = 100;

/**
 * The type with properties as the data of its records shows them, if its definition has none: a
 * deployment need not send them.
 */
export function typeOfRecords(type: ObjectType, records: readonly Resource[]): ObjectType {
  if (Object.keys(type.properties).length > 0) return type;
  const links = new Set((type.linkTypes ?? []).map(({ name }) => name));
  const kinds = new Map<string, string>();
  for (const { data } of records) {
    for (const [name, value] of Object.entries(data)) {
      const kind = kindOf(value);
      const known = kinds.get(name);
      if (kind === undefined || links.has(name) || known === kind) continue;
      if (known === undefined && kinds.size >= maximumFound) continue;
      kinds.set(name, known === undefined ? kind : "string");
    }
  }
  if (kinds.size === 0) return type;
  const properties = Object.fromEntries(
    Array.from(kinds, ([name, kind]) => [name, { type: kind }]),
  );
  return { ...type, properties };
}

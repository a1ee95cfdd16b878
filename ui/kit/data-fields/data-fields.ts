import type { ObjectType } from "#client/index.ts";

/** The parts of an Object Type that define the fields of its records. */
export type DefinedFields = Pick<ObjectType, "properties" | "linkTypes">;
export type DataFields = ObjectType["properties"];

// A screen asks for the fields of the same type in each frame.
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

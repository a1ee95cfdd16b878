import type { ObjectType } from "#client/index.ts";

/** What of an Object Type says which fields its records have. */
export type DefinedFields = Pick<ObjectType, "properties" | "linkTypes">;
export type DataFields = ObjectType["properties"];

/** Types stay as they are fetched, and a screen asks for this at each frame. */
const known = new WeakMap<DefinedFields, DataFields>();

/**
 * What stands in the data of a type's records, by name: its properties, and its links, which hold
 * the id of one record or of many.
 */
export function dataFields(type: DefinedFields): DataFields {
  const found = known.get(type);
  if (found !== undefined) return found;
  const links = (type.linkTypes ?? []).map((link): [string, DataFields[string]] => {
    const { name, targetObjectType, displayName } = link;
    const one = { type: "reference", targetObjectType } as const;
    const field = link["cardinality"] === "one" ? one : ({ type: "array", items: one } as const);
    return [name, typeof displayName === "string" ? { ...field, displayName } : field];
  });
  const fields =
    links.length === 0 ? type.properties : { ...type.properties, ...Object.fromEntries(links) };
  known.set(type, fields);
  return fields;
}

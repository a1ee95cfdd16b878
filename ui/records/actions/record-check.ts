import type { Fault, JsonObject, ObjectType } from "#client/index.ts";
import type { LinkType } from "#contract/object-types.ts";
import { propertyDefinition, type PropertyDefinition } from "#contract/object-types/properties.ts";
import { compileRecordCheck, type RecordCheck } from "#contract/object-types/record.ts";
import { PatternError } from "#lib/pattern.ts";

/**
 * The rules of a type for a form that is being filled in: the same that the platform holds a record
 * to. Loaded when the first form is opened, since the schema library comes with it.
 */

interface Shape {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly linkTypes?: ObjectType["linkTypes"];
}

const nothing = { data: {}, faults: [], references: [] };

/** A pattern that only the deployment understands is left to it, and so are all the others then. */
function compiled(
  properties: Record<string, PropertyDefinition>,
  linkTypes: readonly LinkType[],
): RecordCheck {
  try {
    return compileRecordCheck({ properties, linkTypes });
  } catch (error) {
    if (error instanceof PatternError) return () => nothing;
    throw error;
  }
}

/** Everything wrong with whole data; a property of a kind that we do not know is left unchecked. */
export function dataCheck(
  shape: Shape,
  isCreation: boolean,
): (data: JsonObject) => readonly Fault[] {
  const properties: Record<string, PropertyDefinition> = {};
  const unknown = new Set<string>();
  for (const [name, property] of Object.entries(shape.properties)) {
    const parsed = propertyDefinition.safeParse(property);
    if (parsed.success) properties[name] = parsed.data;
    else unknown.add(name);
  }
  const links = (shape.linkTypes ?? []).map(
    ({ name, targetObjectType, cardinality }): LinkType => ({
      name,
      targetObjectType,
      cardinality: cardinality === "one" ? "one" : "many",
    }),
  );
  const check = compiled(properties, links);
  return (data) => {
    const known = Object.entries(data).filter(([name]) => !unknown.has(name));
    return check(Object.fromEntries(known), { isCreation }).faults;
  };
}

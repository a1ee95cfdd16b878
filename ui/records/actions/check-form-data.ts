import type { Fault, JsonObject, ObjectType } from "#client/index.ts";
import type { LinkType } from "#contract/object-types/object-types.ts";
import { propertyDefinition, type PropertyDefinition } from "#contract/object-types/properties.ts";
import { compileRecordCheck, type RecordCheck } from "#contract/object-types/record.ts";
import { PatternError } from "#lib/pattern.ts";

/** The platform's validation rules for forms. Loads the schema library, so import it lazily. */

/** The parts of a type, or of an action's parameters, that have rules. */
export interface CheckedShape {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly linkTypes?: ObjectType["linkTypes"];
}

const noFaults = { data: {}, faults: [], references: [] };

/** A type with a pattern that only the platform can compile is checked by the platform alone. */
function compiled(
  properties: Record<string, PropertyDefinition>,
  linkTypes: readonly LinkType[],
): RecordCheck {
  try {
    return compileRecordCheck({ properties, linkTypes });
  } catch (error) {
    if (error instanceof PatternError) return () => noFaults;
    throw error;
  }
}

/** Returns the check of a type's data. Properties of an unknown kind are not checked. */
export function dataCheck(
  shape: CheckedShape,
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

import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { given } from "#lib/given.ts";
import type { StoredObjectType } from "./stored-types.ts";
import { objectTypeOf } from "./compiled-type.ts";

/** A type as the schema route reports it: each target also as `target_type` (spec 2.2). */
export function runTimeTypeOf(
  stored: StoredObjectType,
  recordCount: number | undefined,
): ObjectType {
  const { properties, linkTypes } = stored.definition;
  return {
    ...objectTypeOf(stored),
    properties: targetsIn(properties),
    linkTypes: linkTypes.map((link) => ({ ...link, target_type: link.targetObjectType })),
    ...given({ recordCount }),
  };
}

function targetsIn(
  properties: Readonly<Record<string, PropertyDefinition>>,
): ObjectType["properties"] {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, targetIn(property)]),
  );
}

function targetIn(property: PropertyDefinition): ObjectType["properties"][string] {
  const { targetObjectType: target, items, properties } = property;
  return {
    ...property,
    ...(target === undefined ? {} : { target_type: target }),
    ...(items === undefined ? {} : { items: targetIn(items) }),
    ...(properties === undefined ? {} : { properties: targetsIn(properties) }),
  };
}

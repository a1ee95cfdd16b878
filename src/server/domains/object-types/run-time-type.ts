import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { given } from "#lib/given.ts";
import type { StoredDefinition, StoredObjectType } from "./stored-types.ts";
import { objectTypeOf } from "./compiled-type.ts";

/** A type as it is read at run time: each target also as `target_type` (spec 2.2). */
export function runTimeTypeOf(stored: StoredObjectType, recordCount?: number): ObjectType {
  const { properties, linkTypes, actions } = stored.definition;
  return {
    ...objectTypeOf(stored),
    properties: targetsIn(properties),
    linkTypes: linkTypes.map((link) => ({ ...link, target_type: link.targetObjectType })),
    actions: actions.map((action) => ({
      ...action,
      ...(action.parameters === undefined ? {} : { parameters: targetsIn(action.parameters) }),
    })),
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

type Parts = Pick<StoredDefinition, "properties" | "linkTypes" | "actions">;

/** The parts of a definition as they are stored: without names that only run time has. */
export function storedParts({ properties, linkTypes, actions }: Parts): Parts {
  return {
    properties: plainIn(properties),
    linkTypes: linkTypes.map(({ target_type: _atRunTime, ...link }) => link),
    actions: actions.map((action) => ({
      ...action,
      ...(action.parameters === undefined ? {} : { parameters: plainIn(action.parameters) }),
    })),
  };
}

function plainIn(
  properties: Readonly<Record<string, PropertyDefinition>>,
): Record<string, PropertyDefinition> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, plain(property)]),
  );
}

/** Another `target_type` stays, and is a fault of the definition. */
function plain(given: PropertyDefinition): PropertyDefinition {
  const { target_type: target, ...rest } = given;
  const property = target === rest.targetObjectType ? rest : given;
  const { items, properties } = property;
  return {
    ...property,
    ...(items === undefined ? {} : { items: plain(items) }),
    ...(properties === undefined ? {} : { properties: plainIn(properties) }),
  };
}

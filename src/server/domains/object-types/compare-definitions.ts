import type { ObjectTypeUpdate } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { definitionFaults } from "#contract/object-types/definition.ts";
import { placedProperties } from "#contract/object-types/walk.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { pointer, type Fault } from "#contract/problems.ts";
import { searchedProperties } from "../../text/search/searched-texts.ts";
import { rolesOfNames } from "./rights/type-rights.ts";
import { storedParts } from "./run-time-type.ts";
import type { StoredDefinition, StoredObjectType } from "./stored-types.ts";

/** The definition after a change: absent members stay, null removes (RFC 7396). */
export function changedDefinition(
  stored: StoredDefinition,
  update: ObjectTypeUpdate,
): StoredDefinition {
  const displayName = changedMember(stored.displayName, update.displayName);
  const description = changedMember(stored.description, update.description);
  const readRoles = changedMember(stored.readRoles, update.readRoles);
  const writeRoles = changedMember(stored.writeRoles, update.writeRoles);
  const parts = storedParts({
    properties: update.properties ?? stored.properties,
    linkTypes: update.linkTypes ?? stored.linkTypes,
    actions: update.actions ?? stored.actions,
  });
  const retired = retiredAfter(stored, parts);
  return {
    ...given({ displayName, description }),
    ...parts,
    ...given({ readRoles, writeRoles, retired }),
  };
}

/** The roles of names that the definition no longer has; records still have their values. */
function retiredAfter(
  stored: StoredDefinition,
  { properties, linkTypes }: Pick<StoredDefinition, "properties" | "linkTypes">,
): StoredDefinition["retired"] {
  const retired = rolesOfNames(stored);
  for (const name of [...Object.keys(properties), ...linkTypes.map((link) => link.name)]) {
    retired.delete(name);
  }
  return retired.size === 0 ? undefined : Object.fromEntries(retired);
}

function changedMember<Value>(
  stored: Value | undefined,
  next: NoInfer<Value> | null | undefined,
): Value | undefined {
  return next === undefined ? stored : (next ?? undefined);
}

/** True if two definitions are equal; the order of properties counts. */
export function sameDefinition(one: StoredDefinition, other: StoredDefinition): boolean {
  const orderOf = (definition: StoredDefinition): string =>
    JSON.stringify(Object.keys(definition.properties));
  return (
    sameJson(withoutUndefined(one), withoutUndefined(other)) && orderOf(one) === orderOf(other)
  );
}

function withoutUndefined(definition: StoredDefinition): unknown {
  return JSON.parse(JSON.stringify(definition));
}

/** Every slug that a definition refers to, with its pointer. */
export function targetsOf(definition: StoredDefinition): { slug: string; pointer: string }[] {
  const ofProperties = placedProperties(definition.properties).flatMap(
    ({ property: { targetObjectType: slug }, path }) =>
      slug === undefined ? [] : [{ slug, pointer: pointer(...path, "targetObjectType") }],
  );
  const ofLinks = definition.linkTypes.map(({ targetObjectType: slug }, index) => ({
    slug,
    pointer: pointer("linkTypes", index, "targetObjectType"),
  }));
  return [...ofProperties, ...ofLinks];
}

export function namesNoType(slug: string): string {
  return `"${slug}" is not an Object Type of this workspace`;
}

/** All faults of a definition, unknown targets included. */
export function faultsOf(definition: StoredDefinition, known: ReadonlySet<string>): Fault[] {
  const unknown = targetsOf(definition).filter(({ slug }) => !known.has(slug));
  return [
    ...definitionFaults(definition),
    ...unknown.map(({ slug, pointer: at }) => ({
      pointer: at,
      detail: namesNoType(slug),
    })),
  ];
}

/** Names whose stored values may hold lists or objects that the new definition does not declare. */
export function looseAfter(stored: StoredObjectType, after: StoredDefinition): string[] {
  const loose = new Set(stored.loose);
  for (const [name, property] of Object.entries(stored.definition.properties)) {
    if (leavesLists(property, after.properties[name])) loose.add(name);
  }
  for (const link of stored.definition.linkTypes) {
    if (!after.linkTypes.some((next) => sameJson(link, next))) loose.add(link.name);
  }
  return [...loose];
}

/** True if `before` may hold a list or an object where `after` has none, at any depth. */
function leavesLists(before: PropertyDefinition, after: PropertyDefinition | undefined): boolean {
  if (!["array", "object", "geopoint", "geometry", "file"].includes(before.type)) return false;
  if (after?.type !== before.type) return true;
  if (before.type === "array") {
    if (after.items === undefined) return false;
    return before.items === undefined || leavesLists(before.items, after.items);
  }
  if (before.type !== "object" || after.properties === undefined) return false;
  if (before.properties === undefined) return true;
  return Object.entries(before.properties).some(([name, member]) =>
    leavesLists(member, after.properties?.[name]),
  );
}

export function searchesSame(one: StoredDefinition, other: StoredDefinition): boolean {
  const names = ({ properties }: StoredDefinition): string =>
    searchedProperties(properties)
      .map(({ name }) => name)
      .toSorted()
      .join();
  return names(one) === names(other);
}

export function newlyUnique(before: StoredDefinition, after: StoredDefinition): string[] {
  return Object.entries(after.properties)
    .filter(([name, property]) => property.unique === true && !isUnique(before, name))
    .map(([name]) => name);
}

function isUnique(definition: StoredDefinition, name: string): boolean {
  return definition.properties[name]?.unique === true;
}

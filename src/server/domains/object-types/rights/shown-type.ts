import type { ActionDefinition, ObjectType } from "#contract/object-types/object-types.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import type { WorkspaceScope } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import { objectTypeOf } from "../compiled-type.ts";
import type { StoredObjectType } from "../stored-types.ts";
import { mayUse, rolesOfNames } from "./type-rights.ts";

/**
 * The definition as the caller may see it; undefined for a type that does not exist for them. Who
 * may change definitions sees them whole: their rights are on the records.
 */
export function shownType(
  work: Work,
  stored: StoredObjectType,
  shape: (stored: StoredObjectType) => ObjectType = objectTypeOf,
): ObjectType | undefined {
  const held = work.roleIn(stored.workspace_id);
  if (held === "platform" || (held !== "none" && mayChangeTypes(held))) return shape(stored);
  const holder = held === "none" ? undefined : held;
  if (!mayUse(stored.definition.readRoles, holder)) return undefined;
  const roles = rolesOfNames(stored.definition);
  const mayRead = (name: string): boolean => mayUse(roles.get(name)?.readRoles, holder);
  if ([...roles.keys()].every(mayRead)) return shape(stored);
  const { properties, linkTypes, actions } = stored.definition;
  const definition = {
    ...stored.definition,
    properties: readable(properties, mayRead),
    linkTypes: linkTypes.filter(({ name }) => mayRead(name)),
    actions: actions.map((action) => shownAction(action, mayRead)),
  };
  return { ...shape({ ...stored, definition }), partial: true };
}

/** True if the caller may read the records of a type, and so their number. */
export function mayReadRecords(work: Work, { workspace_id, definition }: StoredObjectType) {
  const held = work.roleIn(workspace_id);
  return held === "platform" || mayUse(definition.readRoles, held === "none" ? undefined : held);
}

/** Which fields of a stored type the caller may read, for reports that name them. */
export function fieldReader(work: Work, stored: StoredObjectType): (name: string) => boolean {
  const held = work.roleIn(stored.workspace_id);
  if (held === "platform") return () => true;
  const roles = rolesOfNames(stored.definition);
  const holder = held === "none" ? undefined : held;
  const mayReadType = mayUse(stored.definition.readRoles, holder);
  return (name) => mayReadType && mayUse(roles.get(name)?.readRoles, holder);
}

/** True if the role sees all definitions whole. */
export function mayChangeTypes({ role, permissions }: WorkspaceScope): boolean {
  return permissions?.has("objectTypes.update") ?? roleIncludes(role, "tenant-builder");
}

/** The action without what it does to fields that the caller may not read. */
function shownAction(
  { set, transition, ...action }: ActionDefinition,
  mayRead: (name: string) => boolean,
): ActionDefinition {
  return {
    ...action,
    ...(set === undefined ? {} : { set: readable(set, mayRead) }),
    ...(transition !== undefined && mayRead(transition.property) ? { transition } : {}),
  };
}

function readable<Value>(
  members: Readonly<Record<string, Value>>,
  mayRead: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => mayRead(name)));
}

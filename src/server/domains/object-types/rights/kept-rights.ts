import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type { ActionDefinition } from "#contract/object-types/object-types.ts";
import { isAmong, roles as baseRoles } from "#contract/access/roles.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import type { WorkspaceScope } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import type { NamedRoles, StoredDefinition, StoredObjectType } from "../stored-types.ts";
import { mayUse, rolesOfNames } from "./type-rights.ts";

type Path = readonly (string | number)[];
type Holder = WorkspaceScope | undefined;

/**
 * Refuses 403, with pointers, a change by which a role would get a right that the caller does not
 * have. A caller who may not read a property or the type cannot change its definition at all: other
 * keywords would show values too, as `unique` does by its collisions.
 */
export function requireKeptRights(
  work: Work,
  stored: StoredObjectType,
  after: StoredDefinition,
  base: Path,
): void {
  const held = work.roleIn(stored.workspace_id);
  if (held === "platform") return;
  const faults = wideningFaults(stored.definition, after, held === "none" ? undefined : held);
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults.map(({ path, detail }): Fault => {
    return { pointer: pointer(...base, ...path), detail };
  });
  throw new Refusal("permission-denied", {
    detail: `Cannot change this Object Type: ${errors[0]?.pointer ?? ""} ${first.detail}`,
    errors,
  });
}

interface PlacedFault {
  readonly path: Path;
  readonly detail: string;
}

function wideningFaults(
  before: StoredDefinition,
  after: StoredDefinition,
  holder: Holder,
): PlacedFault[] {
  if (sameJson(plain(before), plain(after))) return [];
  if (!mayUse(before.readRoles, holder)) {
    return [
      { path: ["readRoles"], detail: `does not include your role: ${needs(before.readRoles)}` },
    ];
  }
  const faults: PlacedFault[] = [];
  if (!mayUse(before.writeRoles, holder) && isWider(before.writeRoles, after.writeRoles)) {
    faults.push({ path: ["writeRoles"], detail: cannotWiden(before.writeRoles) });
  }
  for (const [name, roles] of rolesOfNames(before)) {
    const fault = fieldFault(before, after, { name, roles, holder });
    if (fault !== undefined) faults.push(fault);
  }
  after.actions.forEach((action, index) => {
    const old = before.actions.find(({ name }) => name === action.name);
    if (old !== undefined && sameJson(plain(old), plain(action))) return;
    faults.push(...actionFaults(before, action, { path: ["actions", index], holder }));
  });
  return faults;
}

function fieldFault(
  before: StoredDefinition,
  after: StoredDefinition,
  { name, roles, holder }: { name: string; roles: NamedRoles; holder: Holder },
): PlacedFault | undefined {
  const [old, next] = [fieldOf(before, name), fieldOf(after, name)];
  const { path } = next ?? old ?? { path: ["properties", name] };
  if (!mayUse(roles.readRoles, holder)) {
    if (sameJson(plain(old?.definition), plain(next?.definition))) return undefined;
    return { path, detail: `can only be changed by who may read it: ${needs(roles.readRoles)}` };
  }
  if (next === undefined || mayUse(writers(roles), holder)) return undefined;
  if (isWider(writers(roles), writers(next.definition))) {
    return { path: [...path, "writeRoles"], detail: cannotWiden(writers(roles)) };
  }
  if (sameJson(old?.fallback, next.fallback)) return undefined;
  return { path: [...path, "default"], detail: `is a value: ${needs(writers(roles))}` };
}

/** An action sets its constants whatever roles write the fields: its author must be one of them. */
function actionFaults(
  before: StoredDefinition,
  { set = {}, transition }: ActionDefinition,
  { path, holder }: { readonly path: Path; readonly holder: Holder },
): PlacedFault[] {
  const roles = rolesOfNames(before);
  const faults: PlacedFault[] = [];
  const isChange = transition !== undefined || Object.keys(set).length > 0;
  if (isChange && !mayUse(before.writeRoles, holder)) {
    faults.push({ path, detail: `writes records: ${needs(before.writeRoles)}` });
  }
  const add = (name: string, at: Path): void => {
    const named = roles.get(name) ?? {};
    if (!mayUse(writers(named), holder)) {
      faults.push({ path: [...path, ...at], detail: `writes it: ${needs(writers(named))}` });
    }
  };
  for (const name of Object.keys(set)) add(name, ["set", name]);
  if (transition === undefined) return faults;
  add(transition.property, ["transition"]);
  const { readRoles } = roles.get(transition.property) ?? {};
  if (!mayUse(readRoles, holder)) {
    faults.push({ path: [...path, "transition"], detail: `reads it: ${needs(readRoles)}` });
  }
  return faults;
}

interface Field {
  readonly definition: NamedRoles;
  /** The default of a property. */
  readonly fallback?: unknown;
  readonly path: Path;
}

/** The definition of a property or a link, and its place. */
function fieldOf({ properties, linkTypes }: StoredDefinition, name: string): Field | undefined {
  const property = ownMember(properties, name);
  if (property !== undefined) {
    return { definition: property, fallback: property.default, path: ["properties", name] };
  }
  const index = linkTypes.findIndex((link) => link.name === name);
  const link = linkTypes[index];
  return link && { definition: link, path: ["linkTypes", index] };
}

function writers({ readRoles, writeRoles }: NamedRoles): readonly string[] | undefined {
  return writeRoles ?? readRoles;
}

/** True if a role has the right after a change that did not have it before. */
function isWider(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): boolean {
  if (before === undefined) return false;
  if (after === undefined) return true;
  return after.some((name) => {
    const role = baseRoles.find((each) => each === name);
    return role === undefined ? !before.includes(name) : !isAmong(before, { role, name });
  });
}

function cannotWiden(roles: readonly string[] | undefined): string {
  return `can only be widened by who has the right: ${needs(roles)}`;
}

function needs(roles: readonly string[] = []): string {
  const all = roles.includes("tenant-admin") ? roles : [...roles, "tenant-admin"];
  return `this needs the role ${all.join(" or ")}`;
}

/** The value as it is stored, without undefined members. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

import type { CheckedRecord } from "#contract/object-types/record.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Work } from "../../../work/work.ts";
import {
  readableFields,
  writableFields,
  type CompiledType,
  type FieldRights,
} from "../../object-types/service.ts";
import type { ShownRecord } from "../record.ts";
import { isMember } from "../write/merged-data.ts";

/** How a request may write records of a type; undefined where there is nothing to check. */
export interface WriteRights extends FieldRights {
  readonly type: CompiledType;
}

/** 403 for a type whose records the caller may only read. */
export function requireWritable(work: Work, type: CompiledType): WriteRights | undefined {
  const rights = writeRightsOf(work, type);
  if (rights === undefined || rights.mayWriteRecords) return rights;
  const roles = type.rights?.writeRolesOfRecords ?? [];
  throw new Refusal("permission-denied", {
    detail: `Cannot write records of ${type.slug}: this needs ${rolesIn(roles)}`,
    members: { requiredRoles: [...roles] },
  });
}

/** The rights of actions, which run whatever roles write the type's records. */
export function writeRightsOf(work: Work, type: CompiledType): WriteRights | undefined {
  const rights = writableFields(work, type);
  return rights && { ...rights, type };
}

interface Given {
  /** The data as the request gives it. */
  readonly data: JsonObject;
  readonly base: readonly (string | number)[];
  /** The data to compare with: the stored data, or the defaults of a new record. */
  readonly before: JsonObject;
}

/**
 * Checks data without the fields that do not exist for the caller, whose names are faults, and
 * refuses 403 with a pointer to each changed field that the caller may not write.
 */
export function checkedAsPermitted(
  rights: WriteRights | undefined,
  { data, base, before }: Given,
  check: (data: JsonObject) => CheckedRecord,
): ShownRecord {
  if (rights === undefined) return check(data);
  const { type } = rights;
  const unknown = Object.keys(data).filter((name) => !isNameable(rights, name));
  const known = unknown.length === 0 ? data : without(data, unknown);
  const checked = check(known);
  const names = new Set([...Object.keys(before), ...Object.keys(known)]);
  const denied = [...names].filter((name) => {
    if (rights.mayWrite(name) || !rights.mayRead(name)) return false;
    const old = ownMember(before, name) ?? null;
    const next = ownMember(checked.data, name) ?? null;
    // A field that is not given is written only if it is removed.
    if (!Object.hasOwn(known, name)) return next === null && old !== null;
    return !sameJson(old, next) && !sameJson(old, ownMember(known, name) ?? null);
  });
  if (denied.length > 0) throw deniedAt(type, base, denied);
  const given = new Set(Object.keys(data));
  const faults = unknown.map((name) => notAProperty(base, name));
  // A long pattern adds its fault to the list of the check later.
  const all =
    faults.length === 0 ? checked : { ...checked, faults: [...checked.faults, ...faults] };
  return withoutHiddenNames(rights, all, base, given);
}

/** The record with faults that name no field which the caller may not read, unless it is given. */
export function withoutHiddenNames(
  rights: WriteRights | undefined,
  checked: CheckedRecord,
  base: readonly (string | number)[],
  given?: ReadonlySet<string>,
): ShownRecord {
  if (rights === undefined) return checked;
  const mayName = (name: string): boolean => given?.has(name) === true || rights.mayRead(name);
  return { ...checked, shown: (fault) => shownFault(fault, base, mayName) };
}

/** Stored values of fields that the caller may not read: a replacement leaves them as they are. */
export function unreadableOf(
  rights: WriteRights | undefined,
  stored: JsonObject,
  given: JsonObject,
): JsonObject {
  const view = rights?.readable;
  if (view?.isPartial !== true) return {};
  const kept = Object.entries(stored).filter(
    ([name]) => !isMember(view, name) && !Object.hasOwn(given, name),
  );
  return Object.fromEntries(kept);
}

/** The defaults of a new record: a given value that is the same is no write. */
export function defaultsOf({ properties }: CompiledType): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** 403 for a parameter of an action that sets a field which the caller may not write. */
export function requireParameter(
  rights: WriteRights | undefined,
  { name, parameter, isSame }: { name: string; parameter: string; isSame: boolean },
): void {
  if (rights === undefined || rights.mayWrite(name)) return;
  const mayRead = rights.mayRead(name);
  if (mayRead && isSame) return;
  const roles = mayRead ? `: this needs ${rolesIn(rights.type.rights?.writeRolesOf(name))}` : "";
  throw deniedWith([
    {
      pointer: pointer("parameters", parameter),
      detail: `sets a property that you may not write${roles}`,
    },
  ]);
}

/** 403 with a pointer to each field. */
export function deniedAt(
  { rights }: CompiledType,
  base: readonly (string | number)[],
  names: readonly string[],
): Refusal {
  return deniedWith(
    names.map((name) => ({
      pointer: pointer(...base, name),
      detail: `cannot be written: this needs ${rolesIn(rights?.writeRolesOf(name))}`,
    })),
  );
}

function deniedWith(errors: readonly [Fault, ...Fault[]] | Fault[]): Refusal {
  const [first] = errors;
  return new Refusal("permission-denied", {
    detail: `Cannot write this record: ${first?.pointer ?? ""} ${first?.detail ?? ""}`,
    errors: [...errors],
  });
}

function rolesIn(roles: readonly string[] = []): string {
  const all = roles.includes("tenant-admin") ? roles : [...roles, "tenant-admin"];
  return `the role ${all.join(" or ")}`;
}

/** 403 unless the caller may write each field that a restored state changes. */
export function requireRestorable(
  work: Work,
  type: CompiledType,
  before: JsonObject,
  after: JsonObject,
): void {
  const rights = requireWritable(work, type);
  if (rights === undefined) return;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const denied = [...names].filter(
    (name) => !rights.mayWrite(name) && !sameJson(ownMember(before, name), ownMember(after, name)),
  );
  if (denied.length === 0) return;
  if (denied.every((name) => rights.mayRead(name))) throw deniedAt(type, ["data"], denied);
  throw new Refusal("permission-denied", {
    detail: "Cannot restore this record: its state has fields that you may not write",
  });
}

/** True if the caller may know a field of a type, by its name or a path into it. */
export function mayNameField(work: Work, type: CompiledType, path: string): boolean {
  const view = readableFields(work, type);
  if (view === undefined) return false;
  const [name = ""] = path.replace(/^#?\//, "").split(/[./]/);
  return !view.isPartial || isMember(view, name);
}

/** The changed fields of a conflict that the caller may read. */
export function readableNames(work: Work, type: CompiledType, names: string[]): string[] {
  const view = readableFields(work, type);
  if (view?.isPartial !== true) return names;
  return names.filter((name) => isMember(view, name));
}

/** True if the caller may name a field: they read it, or may write it unread. */
function isNameable({ type, readable, mayRead, mayWrite }: WriteRights, name: string): boolean {
  if (readable?.isPartial !== true) return true;
  return isMember(type, name) && (mayRead(name) || mayWrite(name));
}

function without(data: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
}

function notAProperty(base: readonly (string | number)[], name: string): Fault {
  return { pointer: pointer(...base, name), detail: "is not a property of this type" };
}

/** The fault without the name of a field that the caller may not know. */
function shownFault(
  fault: Fault,
  base: readonly (string | number)[],
  mayName: (name: string) => boolean,
): Fault {
  const place = pointer(...base);
  const [name = ""] = fault.pointer.slice(place.length).replace(/^\//, "").split("/");
  if (mayName(name)) return fault;
  return {
    pointer: place,
    detail: "leaves a property that you may not read without a valid value",
  };
}

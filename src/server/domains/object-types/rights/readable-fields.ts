import type { Work } from "../../../work/work.ts";
import type { CompiledType, ReadableType } from "../compiled-type.ts";
import type { RoleRights } from "./type-rights.ts";

/**
 * The type as the caller may read it: the one function that decides which fields of a record leave
 * the platform. Undefined for a type that does not exist for the caller. A type without rights is
 * returned as it is.
 */
export function readableFields(work: Work, type: CompiledType): ReadableType | undefined {
  if (type.rights === undefined) return type.whole;
  const held = work.roleIn(type.workspaceId);
  if (held === "platform") return type.whole;
  return type.rights.of(held === "none" ? undefined : held).readable;
}

/** The rights of a caller on the records of a type. */
export type FieldRights = RoleRights<ReadableType>;

/** The rights of the caller for a write; undefined where there is nothing to check. */
export function writableFields(work: Work, type: CompiledType): FieldRights | undefined {
  if (type.rights === undefined) return undefined;
  const held = work.roleIn(type.workspaceId);
  if (held === "platform") return undefined;
  return type.rights.of(held === "none" ? undefined : held);
}

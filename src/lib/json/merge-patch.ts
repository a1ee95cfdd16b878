import { ownMember } from "../own-member.ts";
import { isJsonObject } from "./value.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns a copy of `target` with a JSON Merge Patch applied (RFC 7396): `null` removes a member,
 * an object is merged into an object, and every other value replaces.
 */
export function mergePatched(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (isJsonObject(value)) {
      const before = ownMember(target, name);
      merged.set(name, mergePatched(isJsonObject(before) ? before : {}, value));
    } else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

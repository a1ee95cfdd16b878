import { ownMember } from "../own-member.ts";
import { sameJson } from "./same.ts";
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

/** The JSON Merge Patch that turns a value into another one; null where there is no other one. */
export function mergePatchTo(wanted: unknown, before: unknown): unknown {
  if (!isJsonObject(wanted) || !isJsonObject(before)) return wanted ?? null;
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(wanted, name));
  return Object.fromEntries([
    ...removed.map((name) => [name, null]),
    ...Object.entries(wanted)
      .filter(([name, value]) => !sameJson(value, ownMember(before, name)))
      .map(([name, value]) => [name, mergePatchTo(value, ownMember(before, name))]),
  ]);
}

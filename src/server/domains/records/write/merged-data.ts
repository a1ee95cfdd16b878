import type { CheckedRecord, RecordCheckOptions } from "#contract/object-types/record.ts";
import { pointer, type Fault } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { mergePatched } from "#lib/json/merge-patch.ts";
import type { CompiledType } from "../../object-types/service.ts";

/**
 * Checks data of which a request gave only a part. Stored values of properties that the definition
 * no longer has are kept, since the request does not name them.
 */
export function checkedKeeping(
  type: CompiledType,
  data: JsonObject,
  options: RecordCheckOptions & { readonly stored: JsonObject },
): CheckedRecord {
  const isKept = (name: string): boolean =>
    Object.hasOwn(options.stored, name) && !isMember(type, name);
  const entries = Object.entries(data);
  const given = Object.fromEntries(entries.filter(([name]) => !isKept(name)));
  const kept = Object.fromEntries(entries.filter(([name]) => isKept(name)));
  const checked = type.check(given, options);
  return { ...checked, data: { ...checked.data, ...kept } };
}

/** Checks data that replaces the stored data, except for kept values that it does not name. */
export function checkedReplacement(
  type: CompiledType,
  given: JsonObject,
  kept: JsonObject,
  options: RecordCheckOptions,
): CheckedRecord {
  const entries = Object.entries(kept);
  if (entries.length === 0) return type.check(given, options);
  const declared = entries.filter(([name]) => isMember(type, name));
  const others = entries.filter(([name]) => !isMember(type, name));
  const checked = type.check({ ...given, ...Object.fromEntries(declared) }, options);
  return { ...checked, data: { ...checked.data, ...Object.fromEntries(others) } };
}

/**
 * Checks stored data with a JSON Merge Patch applied (RFC 7396). A patch may remove a stored value
 * whose property the definition no longer has; it cannot set one, and it cannot change a file.
 */
export function checkedPatch(
  type: CompiledType,
  patch: JsonObject,
  options: RecordCheckOptions & { readonly stored: JsonObject },
): CheckedRecord {
  const merged = new Map(Object.entries(mergePatched(options.stored, patch)));
  const stored = new Map(Object.entries(options.stored));
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(patch)) {
    if (isMember(type, name)) {
      if (type.properties[name]?.type !== "file") continue;
      if (value !== null) merged.set(name, value);
      else if (stored.has(name)) {
        faults.push(faultIn(options, name, "is a file; delete it with the file route"));
      }
    } else {
      const isRemoval = value === null && stored.has(name);
      stored.delete(name);
      if (!isRemoval) merged.set(name, value);
    }
  }
  const data = Object.fromEntries(merged);
  const checked = checkedKeeping(type, data, { ...options, stored: Object.fromEntries(stored) });
  // A long pattern adds its fault to this list later.
  if (faults.length === 0) return checked;
  return { ...checked, faults: [...checked.faults, ...faults] };
}

function faultIn({ base = [] }: RecordCheckOptions, name: string, detail: string): Fault {
  return { pointer: pointer(...base, name), detail };
}

/** True if the type declares a property or a link of this name. */
export function isMember({ properties, linkTypes }: CompiledType, name: string): boolean {
  return Object.hasOwn(properties, name) || linkTypes.some((link) => link.name === name);
}

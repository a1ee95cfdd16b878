import { usageError } from "#cli/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** A reference whose target has one key in both workspaces. */
export interface SyncedReference {
  readonly property: string;
  readonly type: string;
  readonly key: string;
}

/** A property of the source that is not copied. */
export interface LeftOut {
  readonly property: string;
  readonly reason: string;
}

export interface SyncedProperties {
  readonly copied: readonly string[];
  readonly references: readonly SyncedReference[];
  readonly leftOut: readonly LeftOut[];
}

type Property = ObjectType["properties"][string];

interface Wish {
  readonly key: string;
  /** The properties to copy; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Keys of the targets of references, by the names of the references. */
  readonly references: ReadonlyMap<string, string>;
}

/**
 * The properties that are copied: those that the caller reads in both definitions, in the same
 * type. Throws a usage error for a key that is not unique in both, and for an unknown name.
 */
export function syncedProperties(
  from: ObjectType,
  to: ObjectType,
  { key, only, references }: Wish,
): SyncedProperties {
  for (const [side, { properties }] of [
    ["source", from],
    ["target", to],
  ] as const) {
    if (ownMember(properties, key)?.unique === true) continue;
    throw usageError(`--key ${key} is not a unique property of ${from.slug} in the ${side}`);
  }
  const ownKey = ownMember(from.properties, key);
  const keyFault = ownKey && reasonOf(ownKey, ownMember(to.properties, key), undefined);
  if (keyFault !== undefined) throw usageError(`--key ${key} compares nothing: ${keyFault}`);
  for (const name of [...(only ?? []), ...references.keys()]) {
    if (ownMember(from.properties, name) !== undefined) continue;
    throw usageError(`${name} is not a property of ${from.slug} in the source`);
  }
  const chosen = new Set(only ?? Object.keys(from.properties)).add(key);
  const copied: string[] = [];
  const synced: SyncedReference[] = [];
  const leftOut: LeftOut[] = [];
  for (const [property, definition] of Object.entries(from.properties)) {
    if (!chosen.has(property)) continue;
    const reference = references.get(property);
    const there = ownMember(to.properties, property);
    const reason = reasonOf(definition, there, reference);
    if (reason !== undefined) leftOut.push({ property, reason });
    else copied.push(property);
    if (reason === undefined && reference !== undefined) {
      synced.push({ property, type: String(definition.targetObjectType), key: reference });
    }
  }
  if (only === undefined) {
    for (const { name } of from.linkTypes ?? []) {
      leftOut.push({ property: name, reason: "links are not copied" });
    }
  }
  return { copied, references: synced, leftOut };
}

function reasonOf(
  from: Property,
  to: Property | undefined,
  reference: string | undefined,
): string | undefined {
  if (to === undefined) return "the target has no such property that you may read";
  if (to.type !== from.type) return `is ${from.type} in the source and ${to.type} in the target`;
  if (from.type === "file") return "files are not copied";
  if (from.type !== "reference") {
    return hasReference(from) ? "has references within its value" : undefined;
  }
  if (reference === undefined) return "is a reference: --reference names the key of its target";
  const isSame = from.targetObjectType === to.targetObjectType;
  return isSame ? undefined : "refers to another Object Type in the target";
}

function hasReference(definition: unknown): boolean {
  if (!isJsonObject(definition)) return false;
  const { type, items, properties } = definition;
  if (type === "reference" || hasReference(items)) return true;
  return isJsonObject(properties) && Object.values(properties).some(hasReference);
}

import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { indexableTypes, isMixed } from "#contract/object-types/definition.ts";
import { systemFields, type SystemField } from "#contract/resources/system-fields.ts";
import { ownMember } from "#lib/own-member.ts";
import { isNumeric, type Slot } from "./slots.ts";

/** What a compiled Object Type tells the compilers of filters and orders. */
export interface FieldSource {
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly slots: readonly Slot[];
  /** Properties whose stored values may hold lists, whatever the definition says now. */
  readonly loose: ReadonlySet<string>;
}

export type ValueKind = "text" | "number" | "flag";

/** Where a dotted path leads. */
export type Field =
  | { readonly kind: "column"; readonly column: SystemField; readonly valueKind: ValueKind }
  | {
      /** One value without a list on the way: declared so, and never stored otherwise. */
      readonly kind: "scalar";
      readonly path: readonly string[];
      readonly valueKind: ValueKind;
      readonly slots: readonly Slot[];
    }
  /** Anything may be there, lists too. */
  | { readonly kind: "open"; readonly path: readonly string[] };

const systemColumns: ReadonlySet<string> = new Set(systemFields);
const timeColumns: ReadonlySet<string> = new Set(["created_at", "updated_at"]);

/**
 * System fields come before the user's own of the same name; those are reached as `data.version`,
 * unless the type has a property `data` itself.
 */
export function fieldAt(source: FieldSource, given: readonly string[]): Field {
  const [first = ""] = given;
  if (given.length === 1 && systemColumns.has(first)) {
    const column = first as SystemField;
    return { kind: "column", column, valueKind: column === "version" ? "number" : "text" };
  }
  const path = dataPath(source, given);
  const property = plainProperty(source.properties, path);
  const [name = ""] = path;
  if (property === undefined || source.loose.has(name) || isMixed(property.enum)) {
    return { kind: "open", path };
  }
  return {
    kind: "scalar",
    path,
    valueKind: property.type === "boolean" ? "flag" : isNumeric(property) ? "number" : "text",
    slots:
      path.length > 1
        ? []
        : source.slots.filter((slot) => slot.property === name && slot.state === "ready"),
  };
}

/** What a value on the way of a path can be, as far as the definition is sure of it. */
export type Passage = "object" | "list" | "open";

/**
 * What stands before each name of a data path but the first. Null, and nothing, can stand anywhere.
 */
export function passagesOf(source: FieldSource, path: readonly string[]): Passage[] {
  const [first = "", ...rest] = path;
  let property = source.loose.has(first) ? undefined : ownMember(source.properties, first);
  return rest.map((name) => {
    const passage =
      property?.type === "object" ? "object" : property?.type === "array" ? "list" : "open";
    // A list is passed by one of its objects, or by a place in it.
    const inner = passage === "list" ? property?.items : property;
    const isPlace = passage === "list" && placePattern.test(name);
    property = isPlace ? undefined : ownMember(inner?.properties ?? {}, name);
    return passage;
  });
}

/** A name that may also be a place in a list. */
export const placePattern = /^(?:0|[1-9]\d{0,8})$/;

/** Whether a data path names a declared property, at any depth. */
export function isDeclared({ properties }: FieldSource, path: readonly string[]): boolean {
  let members: FieldSource["properties"] | undefined = properties;
  for (const name of path) {
    const property: PropertyDefinition | undefined = ownMember(members ?? {}, name);
    if (property === undefined) return false;
    members = innermost(property)?.properties;
  }
  return true;
}

/** In how many ways the path can be gone: each is a part of the query that is made for it. */
export function branchesOf(source: FieldSource | undefined, given: readonly string[]): number {
  if (source !== undefined && fieldAt(source, given).kind !== "open") return 1;
  const path = source === undefined ? given : dataPath(source, given);
  const passages = source === undefined ? [] : passagesOf(source, path);
  return path.slice(1).reduce((ways, name, index) => {
    const passage = passages[index] ?? "open";
    if (passage === "object") return ways;
    const isPlace = placePattern.test(name);
    // A declared list that is none is null, with nothing below it to be looked into.
    return ways * (passage === "list" ? (isPlace ? 2 : 1) : isPlace ? 3 : 2);
  }, 1);
}

/** Whether texts at this path are times, which are stored in one form only. */
export function holdsTimes(source: FieldSource, given: readonly string[]): boolean {
  if (given.length === 1 && timeColumns.has(given[0] ?? "")) return true;
  let properties: FieldSource["properties"] | undefined = source.properties;
  let property: PropertyDefinition | undefined;
  for (const name of dataPath(source, given)) {
    if (/^\d+$/.test(name) && property?.type === "array") continue;
    property = ownMember(properties ?? {}, name);
    const inner = innermost(property);
    properties = inner?.properties;
  }
  return innermost(property)?.type === "datetime";
}

function innermost(property: PropertyDefinition | undefined): PropertyDefinition | undefined {
  let inner = property;
  while (inner?.type === "array") inner = inner.items;
  return inner;
}

function dataPath(source: FieldSource, given: readonly string[]): readonly string[] {
  const isPrefixed =
    given.length > 1 && given[0] === "data" && !Object.hasOwn(source.properties, "data");
  return isPrefixed ? given.slice(1) : given;
}

/** The property that the path names when only objects with declared members lie on the way. */
function plainProperty(
  properties: FieldSource["properties"],
  path: readonly string[],
): PropertyDefinition | undefined {
  const [name = "", ...rest] = path;
  const property = ownMember(properties, name);
  if (property === undefined) return undefined;
  if (rest.length === 0) return indexableTypes.has(property.type) ? property : undefined;
  return property.type === "object" && property.properties !== undefined
    ? plainProperty(property.properties, rest)
    : undefined;
}

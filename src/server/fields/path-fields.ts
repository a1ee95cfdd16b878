import { indexableTypes, isMixed } from "#contract/object-types/definition.ts";
import type { PropertyDefinitions, PropertyType } from "#contract/object-types/properties.ts";
import { propertyAt, valueProperty } from "#contract/object-types/walk.ts";
import { systemFields, type SystemField } from "#contract/shared-names.ts";
import { ownMember } from "#lib/own-member.ts";
import { isNumeric, type Slot } from "./slots.ts";

export interface FieldSource {
  /** The workspace and the number of a type whose places are indexed. */
  readonly workspaceId?: string;
  readonly number?: number;
  readonly properties: PropertyDefinitions;
  readonly linkTypes?: readonly { readonly name: string }[];
  readonly slots: readonly Slot[];
  /** Properties whose stored values may hold lists that the definition no longer declares. */
  readonly mayHoldLists: ReadonlySet<string>;
  /** Names that `properties` and `linkTypes` do not declare do not exist for the caller. */
  readonly isPartial?: boolean;
}

export type ValueKind = "text" | "number" | "flag";

export type Field =
  | { readonly kind: "column"; readonly column: SystemField; readonly valueKind: ValueKind }
  | {
      /** One declared value, with no list on the path. */
      readonly kind: "scalar";
      readonly path: readonly string[];
      readonly valueKind: ValueKind;
      readonly slots: readonly Slot[];
      /** True if people read its values, which have an order without case and marks. */
      readonly isRead: boolean;
    }
  /** Any JSON value, which may contain lists. */
  | { readonly kind: "open"; readonly path: readonly string[] };

const readTypes: ReadonlySet<PropertyType> = new Set(["string", "enum", "email", "url"]);
const systemColumns: ReadonlySet<string> = new Set(systemFields);
const timeColumns: ReadonlySet<string> = new Set(["created_at", "updated_at"]);

/**
 * The field of a path. A system field hides a property of the same name, which is then reached as
 * `data.version`, unless the type has a property `data`.
 */
export function fieldAt(source: FieldSource, given: readonly string[]): Field {
  const [first = ""] = given;
  if (given.length === 1 && systemColumns.has(first)) {
    const column = first as SystemField;
    return { kind: "column", column, valueKind: column === "version" ? "number" : "text" };
  }
  const path = dataPath(source, given);
  if (source.isPartial === true && !isKnown(source, path)) return { kind: "open", path: nothing };
  const property = propertyAt(source.properties, path, "objects");
  const [name = ""] = path;
  if (
    property === undefined ||
    !indexableTypes.has(property.type) ||
    source.mayHoldLists.has(name) ||
    isMixed(property.enum)
  ) {
    return { kind: "open", path };
  }
  return {
    kind: "scalar",
    path,
    isRead: readTypes.has(property.type) && !isNumeric(property),
    valueKind: property.type === "boolean" ? "flag" : isNumeric(property) ? "number" : "text",
    slots:
      path.length > 1
        ? []
        : source.slots.filter((slot) => slot.property === name && slot.state === "ready"),
  };
}

/** The path of no stored value: it is not the name of a property. */
const nothing = ["-"];

function isKnown({ properties, linkTypes = [] }: FieldSource, [first = ""]: readonly string[]) {
  return Object.hasOwn(properties, first) || linkTypes.some(({ name }) => name === first);
}

/** The kind of value that contains the next name of a path; `open` for any. */
export type Container = "object" | "list" | "open";

/** The containers before each name of a data path but the first. Each value may also be null. */
export function containersOf(source: FieldSource, path: readonly string[]): Container[] {
  const [first = "", ...rest] = path;
  let property = source.mayHoldLists.has(first) ? undefined : ownMember(source.properties, first);
  return rest.map((name) => {
    const container =
      property?.type === "object" ? "object" : property?.type === "array" ? "list" : "open";
    // A path leads through a list by the members of its objects, or by a position.
    const inner = container === "list" ? property?.items : property;
    const isPosition = container === "list" && positionPattern.test(name);
    property = isPosition ? undefined : ownMember(inner?.properties ?? {}, name);
    return container;
  });
}

/** A name that may also be a position in a list. */
export const positionPattern = /^(?:0|[1-9]\d{0,8})$/;

export function notAProperty(name: string): string {
  return `"${name}" is not a property of this type`;
}

/**
 * True if a path can lead to a value: a system field, a link, or a property at any depth. An object
 * without declared properties may have any.
 */
export function isProperty(source: FieldSource, given: readonly string[]): boolean {
  if (given.length === 1 && systemColumns.has(given[0] ?? "")) return true;
  const [first = "", ...rest] = dataPath(source, given);
  let property = ownMember(source.properties, first);
  if (property === undefined) return source.linkTypes?.some(({ name }) => name === first) === true;
  if (source.mayHoldLists.has(first)) return true;
  for (const name of rest) {
    while (property?.type === "array" && !positionPattern.test(name)) property = property.items;
    if (property?.type === "array") property = property.items;
    else if (property !== undefined && indexableTypes.has(property.type)) return false;
    else if (property?.type === "object" && property.properties !== undefined) {
      property = ownMember(property.properties, name);
      if (property === undefined) return false;
    } else return true;
    if (property === undefined) return true;
  }
  return true;
}

/** True if a data path names a declared property, at any depth. */
export function isDeclared({ properties }: FieldSource, path: readonly string[]): boolean {
  return propertyAt(properties, path, "lists") !== undefined;
}

/**
 * Number of SQL alternatives that a test of this path needs: before each undeclared name there may
 * be an object or a list. Without a source nothing is declared.
 */
export function branchesOf(source: FieldSource | undefined, given: readonly string[]): number {
  if (source !== undefined && fieldAt(source, given).kind !== "open") return 1;
  const path = source === undefined ? given : dataPath(source, given);
  const containers = source === undefined ? [] : containersOf(source, path);
  return path.slice(1).reduce((branches, name, index) => {
    const container = containers[index] ?? "open";
    if (container === "object") return branches;
    const isPosition = positionPattern.test(name);
    // A declared list that is not one is null, with nothing inside it to test.
    return branches * (container === "list" ? (isPosition ? 2 : 1) : isPosition ? 3 : 2);
  }, 1);
}

/** True if texts at this path are times, which are stored in one form only. */
export function holdsTimes(source: FieldSource, given: readonly string[]): boolean {
  if (given.length === 1 && timeColumns.has(given[0] ?? "")) return true;
  const property = propertyAt(source.properties, dataPath(source, given), "positions");
  return property !== undefined && valueProperty(property)?.type === "datetime";
}

/** True if values at this path are geometries, or lists of them. */
export function holdsGeometries(source: FieldSource, given: readonly string[]): boolean {
  const property = propertyAt(source.properties, dataPath(source, given), "positions");
  return property !== undefined && valueProperty(property)?.type === "geometry";
}

function dataPath(source: FieldSource, given: readonly string[]): readonly string[] {
  const isPrefixed =
    given.length > 1 && given[0] === "data" && !Object.hasOwn(source.properties, "data");
  return isPrefixed ? given.slice(1) : given;
}

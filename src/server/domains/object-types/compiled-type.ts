import type { LinkType, ObjectType } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import { compileRecordCheck, type RecordCheck } from "#contract/object-types/record.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import {
  searchedProperties,
  searchEntry,
  textsOf,
  type SearchedProperty,
  type SearchEntry,
} from "../../text/search/searched-texts.ts";
import type { Dialect } from "../../database/database.ts";
import { referenceRules, type ReferenceRule } from "./reference-rules.ts";
import type { StoredObjectType, RecordType } from "./stored-types.ts";
import { writtenColumns } from "../../fields/slots.ts";
import type { FieldSource } from "../../fields/path-fields.ts";
import { rolesOfNames, TypeRights } from "./rights/type-rights.ts";
import { withSettingRanges } from "./checks/setting-ranges.ts";

/** An Object Type with everything that requests for its records need. */
export interface CompiledType extends RecordType, FieldSource {
  readonly workspaceId: string;
  readonly number: number;
  readonly slug: string;
  readonly linkTypes: readonly LinkType[];
  readonly stored: StoredObjectType;
  readonly check: RecordCheck;
  /** The references of its records that a deletion of their target looks for. */
  readonly rules: readonly ReferenceRule[];
  /** The data with its names in the definition's order. */
  ordered(data: JsonObject): JsonObject;
  /** {@link ordered} for stored data; only PostgreSQL changes the order. */
  inOrder(data: JsonObject): JsonObject;
  /** {@link inOrder} from and to JSON text. */
  dataText(stored: string): string;
  readonly searched: readonly SearchedProperty[];
  /** Undefined when nothing is searched, or when the searched texts are the same as in `before`. */
  entryOf(data: JsonObject, before?: JsonObject): SearchEntry | undefined;
  /** Undefined where the definition names no roles. */
  readonly rights: TypeRights<ReadableType> | undefined;
  /** The type with all fields, for work that shows none of them to a caller. */
  readonly whole: ReadableType;
}

/**
 * A type as one caller may read it, from `readableFields`: what leaves the platform needs one. Its
 * properties, links, searched texts and orders are without the fields that the caller may not read;
 * its check, columns and entries are whole.
 */
export interface ReadableType extends CompiledType {
  /** True if the caller may not read some fields. */
  readonly isPartial: boolean;
}

export function compileObjectType(stored: StoredObjectType, dialect: Dialect): CompiledType {
  const { properties, linkTypes } = stored.definition;
  // SQLite returns JSON as it was written, which was in this order.
  const isKept = dialect === "sqlite";
  const ordered = orderOf(properties, linkTypes);
  const inOrder = isKept ? (data: JsonObject) => data : ordered;
  const searched = searchedProperties(properties);
  const whole: ReadableType = {
    workspaceId: stored.workspace_id,
    number: stored.number,
    revision: stored.revision,
    slug: stored.slug,
    properties,
    linkTypes,
    slots: stored.slots,
    mayHoldLists: new Set(stored.loose),
    columns: writtenColumns(stored.slots, properties),
    stored,
    check: withSettingRanges(stored.slug, compileRecordCheck({ properties, linkTypes })),
    rules: referenceRules(stored),
    ordered,
    inOrder,
    dataText: isKept
      ? (text) => text
      : (text) => JSON.stringify(inOrder(JSON.parse(text) as JsonObject)),
    searched,
    entryOf(data, before) {
      if (searched.length === 0) return undefined;
      if (before !== undefined && sameTexts(searched, data, before)) return undefined;
      return searchEntry(searched, data);
    },
    rights: rightsOf(stored.definition, (hidden) => viewOf(whole, hidden)),
    isPartial: false,
    get whole() {
      return whole;
    },
  };
  return whole;
}

function rightsOf(
  definition: StoredObjectType["definition"],
  view: (hidden: ReadonlySet<string>) => ReadableType,
): TypeRights<ReadableType> | undefined {
  const { readRoles, writeRoles } = definition;
  const ofNames = rolesOfNames(definition);
  const isFree = readRoles === undefined && writeRoles === undefined && ofNames.size === 0;
  return isFree ? undefined : new TypeRights({ readRoles, writeRoles }, ofNames, view);
}

/** The type without the hidden fields, and without all that its definition does not name. */
function viewOf(whole: ReadableType, hidden: ReadonlySet<string>): ReadableType {
  if (hidden.size === 0) return whole;
  const properties = Object.fromEntries(
    Object.entries(whole.properties).filter(([name]) => !hidden.has(name)),
  );
  const linkTypes = whole.linkTypes.filter(({ name }) => !hidden.has(name));
  const ordered = orderOf(properties, linkTypes, true);
  return {
    ...whole,
    properties,
    linkTypes,
    searched: whole.searched.filter(({ path: [name = ""] }) => Object.hasOwn(properties, name)),
    ordered,
    inOrder: ordered,
    dataText: (text) => JSON.stringify(ordered(JSON.parse(text) as JsonObject)),
    isPartial: true,
  };
}

function sameTexts(
  searched: readonly SearchedProperty[],
  data: JsonObject,
  before: JsonObject,
): boolean {
  return JSON.stringify(textsOf(searched, data)) === JSON.stringify(textsOf(searched, before));
}

export function objectTypeOf(stored: StoredObjectType): ObjectType {
  const { displayName, description, properties, linkTypes, actions } = stored.definition;
  const { readRoles, writeRoles } = stored.definition;
  return {
    id: stored.id,
    name: stored.name,
    slug: stored.slug,
    ...given({ displayName, description }),
    tenant_id: stored.workspace_id,
    properties,
    linkTypes: [...linkTypes],
    actions: [...actions],
    ...(readRoles === undefined ? {} : { readRoles: [...readRoles] }),
    ...(writeRoles === undefined ? {} : { writeRoles: [...writeRoles] }),
    version: stored.version,
    status: stored.status,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  };
}

type Order = (data: JsonObject) => JsonObject;

function orderOf(
  properties: Readonly<Record<string, PropertyDefinition>>,
  linkTypes: readonly LinkType[] = [],
  isPartial = false,
): Order {
  const members = Object.entries(properties).map(
    ([name, property]) => [name, valueOrderOf(property)] as const,
  );
  for (const { name } of linkTypes) members.push([name, undefined]);
  return (data) => {
    const ordered: JsonObject = {};
    for (const [name, inner] of members) {
      if (!Object.hasOwn(data, name)) continue;
      ordered[name] = inner === undefined ? data[name] : inner(data[name]);
    }
    if (isPartial) return ordered;
    // Names of an earlier definition come last.
    for (const name of Object.keys(data)) {
      if (!Object.hasOwn(ordered, name)) ordered[name] = data[name];
    }
    return ordered;
  };
}

/** The order of one property's value; undefined where nothing needs sorting. */
function valueOrderOf(property: PropertyDefinition): ((value: unknown) => unknown) | undefined {
  if (property.type === "array") {
    const inner = property.items === undefined ? undefined : valueOrderOf(property.items);
    if (inner === undefined) return undefined;
    return (value) => (Array.isArray(value) ? value.map(inner) : value);
  }
  const order =
    property.type === "file"
      ? orderOf(fileMembers)
      : property.properties === undefined
        ? undefined
        : orderOf(property.properties);
  if (order === undefined) return undefined;
  return (value) => (isJsonObject(value) ? order(value) : value);
}

const plain = { type: "string" } as const;
const fileMembers = { filename: plain, contentType: plain, size: plain, sha256: plain };

import type { ActionDefinition, LinkType } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { countRows } from "../../database/row-pages.ts";
import { join, raw, statement } from "../../database/statement.ts";
import type { Slot } from "./slots.ts";

/** An Object Type of one workspace. Its JSON is kept as text, which keeps the order of names. */
interface ObjectTypeRow {
  readonly workspace_id: string;
  readonly id: string;
  /** Unique in the installation; stands for the type in the rows and indexes of its records. */
  readonly number: number;
  /** The exact slug, which never changes (spec 2.2). */
  readonly slug: string;
  /** The name in sources, in PascalCase. */
  readonly name: string;
  /** JSON `{ displayName?, description?, properties, linkTypes, actions }`. */
  readonly definition: string;
  /** JSON array of the index columns of `resources` with their properties. */
  readonly slots: string;
  /** JSON array of properties whose stored values may hold a list that the definition denies. */
  readonly loose: string;
  /** `building` while records may be missing in the search index; else `ready`. */
  readonly search_state: string;
  readonly status: string;
  /** Counts changes of the definition, from 1. */
  readonly version: number;
  /** Counts changes of the row: whatever was compiled from an older one is out of date. */
  readonly revision: number;
  readonly created_by: string;
  readonly updated_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Object Types of one workspace: its schema is one response. */
export const maximumTypes = 1_000;

/** A client's definition; stored as text, since jsonb on PostgreSQL loses the order of names. */
export interface StoredDefinition {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly linkTypes: readonly LinkType[];
  readonly actions: readonly ActionDefinition[];
}

/**
 * An Object Type as stored. `slots` are its index columns, `loose` the properties of {@link
 * FieldSource.mayHoldLists}, `search_state` says whether its search entries are being rewritten.
 */
export interface StoredObjectType extends Omit<
  ObjectTypeRow,
  "definition" | "slots" | "loose" | "search_state"
> {
  readonly definition: StoredDefinition;
  readonly slots: readonly Slot[];
  readonly loose: readonly string[];
  readonly search_state: "ready" | "building";
}

export async function objectTypeBySlug(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<StoredObjectType | undefined> {
  const row = await reader.first<ObjectTypeRow>(statement`select * from object_types
    where workspace_id = ${workspaceId} and slug = ${slug}`);
  return row && parsed(row);
}

export async function objectTypeById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<StoredObjectType | undefined> {
  const row = await reader.first<ObjectTypeRow>(statement`select * from object_types
    where workspace_id = ${workspaceId} and id = ${id}`);
  return row && parsed(row);
}

export async function knownSlugs(
  reader: Reader,
  workspaceId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set();
  const rows = await reader.all<{ slug: string }>(statement`select slug from object_types
    where workspace_id = ${workspaceId} and slug in (${join(slugs)})`);
  return new Set(rows.map((row) => row.slug));
}

/** The slugs of a workspace's types, sorted. */
export async function slugsOf(reader: Reader, workspaceId: string): Promise<string[]> {
  const rows = await reader.all<{ slug: string }>(statement`select slug from object_types
    where workspace_id = ${workspaceId} order by slug`);
  return rows.map(({ slug }) => slug);
}

export async function slugOfName(
  reader: Reader,
  workspaceId: string,
  name: string,
): Promise<string | undefined> {
  const row = await reader.first<{ slug: string }>(statement`select slug from object_types
    where workspace_id = ${workspaceId} and name = ${name}`);
  return row?.slug;
}

export interface ObjectTypePage {
  readonly workspaceId: string;
  /** Only types with a greater id; empty for all. */
  readonly afterId: string;
  readonly limit: number;
  readonly offset: number;
}

/** A page of types in ID order (spec 4.3). */
export async function objectTypesPage(
  reader: Reader,
  page: ObjectTypePage,
): Promise<StoredObjectType[]> {
  const rows = await reader.all<ObjectTypeRow>(statement`select * from object_types
    where workspace_id = ${page.workspaceId} and id > ${page.afterId}
    order by id limit ${page.limit} offset ${page.offset}`);
  return rows.map(parsed);
}

/** All types of a workspace in ID order; it has at most {@link maximumTypes}. */
export function allObjectTypes(reader: Reader, workspaceId: string): Promise<StoredObjectType[]> {
  return objectTypesPage(reader, { workspaceId, afterId: "", limit: maximumTypes, offset: 0 });
}

export async function countObjectTypes(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from object_types where workspace_id = ${workspaceId}`);
}

export async function definitionBytes(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.first<{ bytes: number | null }>(statement`select
    sum(octet_length(definition)) as bytes from object_types where workspace_id = ${workspaceId}`);
  return Number(row?.bytes ?? 0);
}

/** The current revision of a type: what was compiled from this revision is valid. */
export async function revisionOf(
  reader: Reader,
  workspaceId: string,
  number: number,
): Promise<number | undefined> {
  const row = await reader.first<{ revision: number }>(statement`select revision from object_types
    where workspace_id = ${workspaceId} and number = ${number}`);
  return row?.revision;
}

export async function insertObjectType(writer: Writer, type: StoredObjectType): Promise<void> {
  const row = rowOf(type);
  await writer.run(statement`insert into object_types (workspace_id, id, number, slug, name,
      definition, slots, loose, search_state, status, version, revision, created_by, updated_by, created_at,
      updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.number}, ${row.slug}, ${row.name},
      ${row.definition}, ${row.slots}, ${row.loose}, ${row.search_state}, ${row.status},
      ${row.version}, ${row.revision}, ${row.created_by}, ${row.updated_by}, ${row.created_at},
      ${row.updated_at})`);
}

/** Writes the changeable columns; false when the row is not at the revision before this one. */
export async function updateObjectType(writer: Writer, type: StoredObjectType): Promise<boolean> {
  const row = rowOf(type);
  const { changedRows } = await writer.run(statement`update object_types
    set name = ${row.name}, definition = ${row.definition}, slots = ${row.slots},
      loose = ${row.loose}, search_state = ${row.search_state}, version = ${row.version}, revision = ${row.revision},
      updated_by = ${row.updated_by}, updated_at = ${row.updated_at}
    where workspace_id = ${row.workspace_id} and id = ${row.id}
      and revision = ${row.revision - 1}`);
  return changedRows > 0;
}

/** The number of records of each type, by the type's number. */
export async function recordCounts(
  reader: Reader,
  workspaceId: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<{ type_number: number; records: number }>(statement`select
    type_number, ${raw("cast(sum(records) as bigint)")} as records from resource_counts
    where workspace_id = ${workspaceId} group by type_number`);
  return new Map(rows.map((row) => [row.type_number, row.records]));
}

export async function recordCount(
  reader: Reader,
  workspaceId: string,
  number: number,
): Promise<number> {
  const row = await reader.first<{ records: number | null }>(statement`select
    ${raw("cast(sum(records) as bigint)")} as records from resource_counts
    where workspace_id = ${workspaceId} and type_number = ${number}`);
  return row?.records ?? 0;
}

function parsed(row: ObjectTypeRow): StoredObjectType {
  return {
    ...row,
    // Only this store writes these columns.
    definition: JSON.parse(row.definition) as StoredDefinition,
    slots: JSON.parse(row.slots) as Slot[],
    loose: JSON.parse(row.loose) as string[],
    search_state: row.search_state === "building" ? "building" : "ready",
  };
}

function rowOf(type: StoredObjectType): ObjectTypeRow {
  return {
    ...type,
    definition: JSON.stringify(type.definition),
    slots: JSON.stringify(type.slots),
    loose: JSON.stringify(type.loose),
  };
}

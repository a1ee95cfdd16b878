import type { ActionDefinition, LinkType } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { Reader } from "../../database/database.ts";
import { raw, statement } from "../../database/statement.ts";
import type { Slot, SlotColumn } from "../../fields/slots.ts";
import type { Transaction } from "../../work/work.ts";
import { isNotDeleted } from "../../work/living.ts";

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
  /** The `onDelete` of references that name none: `keep` for types older than the keyword. */
  readonly on_delete: string;
  /** `ready` when every record has its links, `building` while they are made; else `none`. */
  readonly links_state: string;
  /** The version of the order of texts that every record has its folded texts for; else 0. */
  readonly text_order: number;
  /** The version of the terms of all its search entries; 0 while some are of an earlier build. */
  readonly search_terms: number;
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

/** The roles that read and write one field, or the records; undefined for all with the route. */
export interface NamedRoles {
  readonly readRoles?: readonly string[] | undefined;
  readonly writeRoles?: readonly string[] | undefined;
}

/** A client's definition; stored as text, since jsonb on PostgreSQL loses the order of names. */
export interface StoredDefinition extends NamedRoles {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly linkTypes: readonly LinkType[];
  readonly actions: readonly ActionDefinition[];
  /** Roles of names that the definition no longer has: records still have their values. */
  readonly retired?: Readonly<Record<string, NamedRoles>> | undefined;
}

/**
 * An Object Type as stored. `slots` are its index columns, `loose` the properties of {@link
 * FieldSource.mayHoldLists}, `search_state` says whether its search entries are being rewritten.
 */
export interface StoredObjectType extends Omit<
  ObjectTypeRow,
  "definition" | "slots" | "loose" | "search_state" | "on_delete" | "links_state"
> {
  readonly definition: StoredDefinition;
  readonly slots: readonly Slot[];
  readonly loose: readonly string[];
  readonly search_state: "ready" | "building";
  readonly on_delete: "restrict" | "keep";
  readonly links_state: "ready" | "building" | "none";
}

export interface TypeKey {
  readonly workspaceId: string;
  readonly number: number;
}

/** An Object Type as the records' store needs it. */
export interface RecordType extends TypeKey {
  /** The revision of checks and keys: a write under another one does nothing. */
  readonly revision: number;
  readonly columns: readonly SlotColumn[];
}

export interface Collision {
  readonly value: string;
  readonly count: number;
  /** The ids of the first records with this value. */
  readonly ids: readonly string[];
}

/** The storage of records as Object Types use it; `records/indexes` implements it. */
export interface RecordStorage {
  /** Starts the background work on index columns and search entries of a type; returns at once. */
  start(type: StoredObjectType): void;
  /** Sets the listener that receives each type changed by the background work. */
  onChange(listener: (type: StoredObjectType) => void): void;
  /** Runs `work` while the background work keeps off the unique columns that `work` fills. */
  reserving<T>(typeId: string, work: () => Promise<T>): Promise<T>;
  /** Fills index columns of all records. Fails with `DuplicateError` on equal unique values. */
  fill(type: StoredObjectType, slots: readonly Slot[]): Promise<void>;
  /** Values of a property that several records have, most frequent first. */
  collisions(type: TypeKey, property: string, limit: number): Promise<Collision[]>;
  /** True if a record has a list or an object in this property. */
  holdsNested(type: TypeKey, property: string): Promise<boolean>;
}

/** Undefined also for a type of a workspace that is deleted. */
export async function objectTypeBySlug(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<StoredObjectType | undefined> {
  const row = await reader.first<ObjectTypeRow>(statement`select * from object_types
    where workspace_id = ${workspaceId} and slug = ${slug} and ${isNotDeleted(workspaceId)}`);
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

export interface ObjectTypePage {
  readonly workspaceId: string;
  /** The page has types with a greater id only; all types if this is empty. */
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

/**
 * The current revision of a type: what was compiled from this revision is valid. Undefined also for
 * a type of a workspace that is deleted.
 */
export async function revisionOf(
  reader: Reader,
  workspaceId: string,
  number: number,
): Promise<number | undefined> {
  const row = await reader.first<{ revision: number }>(statement`select revision from object_types
    where workspace_id = ${workspaceId} and number = ${number} and ${isNotDeleted(workspaceId)}`);
  return row?.revision;
}

/** The current revision of each type of a workspace, by its number. */
export async function revisionsOf(
  reader: Reader,
  workspaceId: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<{ number: number; revision: number }>(statement`select number,
    revision from object_types where workspace_id = ${workspaceId}`);
  return new Map(rows.map(({ number, revision }) => [number, revision]));
}

/** Writes the changeable columns; false when the row is not at the revision before this one. */
export async function updateObjectType(tx: Transaction, type: StoredObjectType): Promise<boolean> {
  const row = rowOf(type);
  const { changedRows } = await tx.run(statement`update object_types
    set name = ${row.name}, definition = ${row.definition}, slots = ${row.slots},
      loose = ${row.loose}, search_state = ${row.search_state},
      on_delete = ${row.on_delete}, links_state = ${row.links_state},
      text_order = ${row.text_order}, search_terms = ${row.search_terms}, version = ${row.version}, revision = ${row.revision},
      updated_by = ${row.updated_by}, updated_at = ${row.updated_at}
    where workspace_id = ${row.workspace_id} and id = ${row.id}
      and revision = ${row.revision - 1}`);
  const { slug, workspace_id: workspaceId, version } = type;
  if (changedRows > 0) tx.event("object-type", slug, workspaceId, { version });
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
    on_delete: row.on_delete === "restrict" ? "restrict" : "keep",
    links_state:
      row.links_state === "ready" || row.links_state === "building" ? row.links_state : "none",
  };
}

export function rowOf(type: StoredObjectType): ObjectTypeRow {
  return {
    ...type,
    definition: JSON.stringify(type.definition),
    slots: JSON.stringify(type.slots),
    loose: JSON.stringify(type.loose),
  };
}

/** An Object Type of one workspace. Its JSON is kept as text, which keeps the order of names. */
export interface ObjectTypeRow {
  workspace_id: string;
  id: string;
  /** Unique in the installation; stands for the type in the rows and indexes of its records. */
  number: number;
  /** Exact and stored for good (spec 2.2). */
  slug: string;
  /** PascalCase source name. */
  name: string;
  /** JSON `{ displayName?, description?, properties, linkTypes, actions }`. */
  definition: string;
  /** JSON array: which property's values stand in which index column of `resources`. */
  slots: string;
  /** JSON array of properties whose stored values may hold a list that the definition denies. */
  loose: string;
  /** `building` while records may be missing in the search index; else `ready`. */
  search_state: string;
  status: string;
  /** Counts changes of the definition, from 1. */
  version: number;
  /** Counts changes of the row: whatever was compiled from an older one is out of date. */
  revision: number;
  created_by: string;
  updated_by: string;
  created_at: string;
  updated_at: string;
}

/** The last number given to an Object Type; one row. */
export interface ObjectTypeNumberRow {
  name: string;
  last: number;
}

/**
 * How many records a type has, as the sum of its shards: on PostgreSQL each connection adds to a
 * shard of its own, so that no two writes wait for each other.
 */
export interface ResourceCountRow {
  workspace_id: string;
  type_number: number;
  shard: number;
  records: number;
}

export interface ObjectTypeTables {
  object_types: ObjectTypeRow;
  object_type_numbers: ObjectTypeNumberRow;
  resource_counts: ResourceCountRow;
}

/**
 * A record. On SQLite its key is `record_number`, which follows from its id (see
 * `resources/record-numbers.ts`). Beside these columns it has index columns (see `resources/slots.ts`): `t1`… hold text,
 * `n1`… numbers, `u1`… unique values. Which property stands in which is the type's own matter, so
 * that an index for one type costs the records of all others next to nothing.
 */
export interface ResourceRow {
  workspace_id: string;
  /** `object_types.number`. */
  type_number: number;
  /**
   * UUIDv7 of the millisecond in `created_at`, or of a later one where others were made before: order
   * by id is order by time.
   */
  id: string;
  version: number;
  /** JSON. */
  data: string;
  created_at: string;
  updated_at: string;
  created_by: string;
  updated_by: string;
}

/** One write of one record; written with it, in the same transaction. */
export interface ResourceHistoryRow {
  /** On PostgreSQL only: the type's number implies it. */
  workspace_id: string;
  resource_id: string;
  /** The record's version after the write. */
  version: number;
  type_number: number;
  /** `create`, `update`, `delete`, or the name of an action. */
  operation: string;
  at: string;
  actor: string;
  /**
   * JSON Patch on the data that can be read both ways (see `resources/patch.ts`); null for a
   * creation, whose data follows from what came after it.
   */
  changes: string | null;
}

export interface ResourceTables {
  resources: ResourceRow;
  resource_history: ResourceHistoryRow;
}

import type { JsonObject } from "#contract/values.ts";
import type { PatchOperation } from "./patch.ts";
import type { Link, LinkChange } from "../../object-types/service.ts";
import type { SearchEntry } from "../../../text/search/searched-texts.ts";

/** A row of `resources`; `data` is JSON text. */
export interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly data: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by: string;
  readonly updated_by: string;
}

export type SlotKeys = readonly (string | number | null)[];

/** A record to write, with its index keys and search entry. */
export interface RecordWrite {
  readonly record: StoredRecord;
  /** In the order of the type's columns. */
  readonly keys: SlotKeys;
  /** The values of the indexed properties, for the feed of changes. */
  readonly indexed: JsonObject;
  /** Undefined when nothing is searched; in an update when the stored entry stays. */
  readonly entry: SearchEntry | undefined;
  /** Undefined when the record's links stay. */
  readonly links?: LinkChange | undefined;
}

export interface RecordChange extends RecordWrite {
  readonly changes: readonly PatchOperation[];
  /** The values of the indexed properties before; absent for a record that was deleted. */
  readonly indexedBefore?: JsonObject;
  /** The operation's name in the history; `update` if absent. */
  readonly operation?: string | undefined;
  /** The deletion that clears the record's references, or the one that is undone. */
  readonly operationId?: string | undefined;
  /** How long files stay restorable that the record no longer has; undefined: not at all. */
  readonly keepUntil?: string | undefined;
}

/** Facts of a deletion, for the histories of its records. */
export interface DeletionNote {
  readonly at: string;
  readonly actor: string;
  readonly operationId: string;
  /** The record that the request names; the others go with it. */
  readonly rootId: string;
  /** How long the records can be restored; undefined: not at all. */
  readonly keepUntil: string | undefined;
}

export interface RecordRemoval {
  readonly id: string;
  /** The version that the deletion creates. */
  readonly version: number;
  readonly changes: readonly PatchOperation[];
  /** The last data, and the values of the indexed properties in it. */
  readonly data: JsonObject;
  readonly indexed: JsonObject;
  /** All links of the record. */
  readonly links: readonly Link[];
}

import type { Slot, SlotColumn } from "./slots.ts";
import type { StoredObjectType } from "./store.ts";

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
  /** Whether a record has a list or an object in this property. */
  holdsNested(type: TypeKey, property: string): Promise<boolean>;
}

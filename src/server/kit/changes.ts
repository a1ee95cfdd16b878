import { ChangeCount } from "./change-count.ts";
import { OrderedUuids } from "./ordered-uuid.ts";

/** Shared by the threads of a platform: the main one raises, those that read follow. */
export interface Changes {
  /** Transactions of the database: a read may now return something newer. */
  readonly commits: ChangeCount;
  /** Users, and their roles in workspaces. */
  readonly access: ChangeCount;
  /** Revocations of grants by any thread. */
  readonly grants: ChangeCount;
  /** Object Types, and which of their indexes are ready. */
  readonly objectTypes: ChangeCount;
  /** Ids of records: each thread makes some, and no two share a number. */
  readonly ids: OrderedUuids;
}

export type SharedChanges = Readonly<Record<keyof Changes, SharedArrayBuffer>>;

/** New changes, or those of another thread. */
export function newChanges(memory: Partial<SharedChanges> = {}): Changes {
  return {
    commits: new ChangeCount(memory.commits),
    access: new ChangeCount(memory.access),
    grants: new ChangeCount(memory.grants),
    objectTypes: new ChangeCount(memory.objectTypes),
    ids: new OrderedUuids(memory.ids),
  };
}

export function shared({ commits, access, grants, objectTypes, ids }: Changes): SharedChanges {
  return {
    commits: commits.memory,
    access: access.memory,
    grants: grants.memory,
    objectTypes: objectTypes.memory,
    ids: ids.memory,
  };
}

import { ChangeCount } from "./change-count.ts";
import { OrderedUuids } from "./ordered-uuid.ts";

/** What the threads of a platform tell each other: the main one raises, those that read follow. */
export interface Changes {
  /** Transactions of the database: what is read now may be newer. */
  readonly commits: ChangeCount;
  /** Users, and their roles in workspaces. */
  readonly access: ChangeCount;
  /** Grants that were revoked. */
  readonly grants: ChangeCount;
  /** Object Types, and which of their indexes are ready. */
  readonly objectTypes: ChangeCount;
  /** Records' ids: each thread makes some, and no two share a number. */
  readonly ids: OrderedUuids;
}

/** As it crosses to a thread. */
export type SharedChanges = Readonly<Record<keyof Changes, SharedArrayBuffer>>;

export function newChanges(): Changes {
  return {
    commits: new ChangeCount(),
    access: new ChangeCount(),
    grants: new ChangeCount(),
    objectTypes: new ChangeCount(),
    ids: new OrderedUuids(),
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

export function followed({ commits, access, grants, objectTypes, ids }: SharedChanges): Changes {
  return {
    commits: new ChangeCount(commits),
    access: new ChangeCount(access),
    grants: new ChangeCount(grants),
    objectTypes: new ChangeCount(objectTypes),
    ids: new OrderedUuids(ids),
  };
}

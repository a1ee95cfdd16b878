import type { Role } from "#contract/access/roles.ts";
import { ChangeCount } from "../../kit/change-count.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Reader } from "../../database/database.ts";
import type { Caches, ChangedRow } from "../../work/caches.ts";
import type { HeldRole } from "../../work/caller.ts";
import type { PlatformWork } from "../../work/works.ts";
import { userByOid, type User, type UserCache } from "../identity/service.ts";
import { keyAccessOf, usableKey, type KeyRecord } from "./keys/store.ts";
import { storedRole } from "./membership.ts";
import {
  accessOf,
  isAdminAnywhere,
  isLivingWorkspace,
  isMemberNear,
  parentOf,
  type AccessRow,
} from "./store.ts";

const maximumEntries = 20_000;
/**
 * The age at which an entry is read again, for changes by another process on the same PostgreSQL. A
 * change by this process removes the entry at once, in each of its threads.
 */
const maximumAgeMs = 5_000;

/** Undefined is kept too, for no membership and no such user. */
interface Kept<Value> {
  readonly value: Value | undefined;
}

/** Roles in workspaces and users by id, which every request needs, kept in memory. */
export class AccessService implements UserCache {
  readonly #roles: RecentMap<string, Kept<HeldRole>>;
  readonly #users: RecentMap<string, Kept<User>>;
  readonly #living: RecentMap<string, Kept<boolean>>;
  readonly #keys: RecentMap<string, Kept<KeyRecord>>;
  readonly #parents: RecentMap<string, Kept<string>>;
  /** A value that was read before a change must not be kept after it. */
  readonly #changes: ChangeCount;
  /** The last change whose stale entries are removed. */
  #followed: number;
  readonly #read: Reader;

  constructor(options: {
    readonly platformWork: PlatformWork;
    readonly caches: Caches;
    readonly now: () => Date;
    readonly changes?: ChangeCount;
  }) {
    this.#read = options.platformWork("roles and users, which decide who may enter").read;
    this.#changes = options.changes ?? new ChangeCount();
    this.#followed = this.#changes.value;
    options.caches.onChange((row) => this.#forget(row));
    const expiry = { lifeMs: maximumAgeMs, now: () => options.now().getTime() };
    this.#roles = new RecentMap(maximumEntries, expiry);
    this.#users = new RecentMap(maximumEntries, expiry);
    this.#living = new RecentMap(maximumEntries, expiry);
    this.#keys = new RecentMap(maximumEntries, expiry);
    this.#parents = new RecentMap(maximumEntries, expiry);
  }

  /** The role of a user or a key; undefined without access, or without such a workspace. */
  heldIn(workspaceId: string, oid: string): Promisable<HeldRole | undefined> {
    this.#follow();
    const key = `${workspaceId}/${oid}`;
    const kept = this.#roles.get(key);
    if (kept !== undefined) return kept.value;
    return this.#load(this.#roles, key, async () => {
      const read = this.#read;
      const row =
        (await accessOf(read, workspaceId, oid)) ?? (await keyAccessOf(read, workspaceId, oid));
      return row === undefined ? undefined : heldRole(row);
    });
  }

  /** The role in a workspace that may be deleted, but is not purged yet. */
  async heldInDeletedToo(workspaceId: string, oid: string): Promise<HeldRole | undefined> {
    const row = await accessOf(this.#read, workspaceId, oid, { isDeletedToo: true });
    return row === undefined ? undefined : heldRole(row);
  }

  /** Whether the workspace exists and is not deleted. */
  isLiving(workspaceId: string): Promisable<boolean> {
    this.#follow();
    const kept = this.#living.get(workspaceId);
    if (kept !== undefined) return kept.value === true;
    const known = this.#load(this.#living, workspaceId, () =>
      isLivingWorkspace(this.#read, workspaceId),
    );
    return known.then((value) => value === true);
  }

  /** Whether a workspace that is not deleted is a child of another one. */
  isChildOf(workspaceId: string, parentId: string): Promisable<boolean> {
    this.#follow();
    const kept = this.#parents.get(workspaceId);
    if (kept !== undefined) return kept.value === parentId;
    const known = this.#load(this.#parents, workspaceId, () => parentOf(this.#read, workspaceId));
    return known.then((value) => value === parentId);
  }

  /** The base role, or the highest one that a workspace-defined role includes. */
  roleIn(workspaceId: string, oid: string): Promisable<Role | undefined> {
    return chained(this.heldIn(workspaceId, oid), (held) => held?.role);
  }

  /** Whether the user is an active admin of any workspace. */
  isAdminAnywhere(oid: string): Promise<boolean> {
    return isAdminAnywhere(this.#read, oid);
  }

  /** Whether the user is a member of a workspace or of one of its children. */
  isMemberNear(workspaceId: string, oid: string): Promise<boolean> {
    return isMemberNear(this.#read, workspaceId, oid);
  }

  user(oid: string): Promisable<User | undefined> {
    this.#follow();
    const kept = this.#users.get(oid);
    if (kept !== undefined) return kept.value;
    return this.#load(this.#users, oid, () => userByOid(this.#read, oid));
  }

  /** The key of a service account; undefined for one that is revoked. It may have expired. */
  key(id: string): Promisable<KeyRecord | undefined> {
    this.#follow();
    const kept = this.#keys.get(id);
    if (kept !== undefined) return kept.value;
    return this.#load(this.#keys, id, () => usableKey(this.#read, { id }));
  }

  /** Removes what a transaction of this thread has changed; other threads follow the count. */
  #forget(row: ChangedRow): void {
    switch (row.noun) {
      case "member":
        this.#roles.delete(`${row.key.workspaceId}/${row.key.oid}`);
        break;
      case "roles":
        this.#roles.clear();
        break;
      case "user":
        this.#users.delete(row.key.oid);
        break;
      case "keys":
        this.#keys.clear();
        this.#roles.clear();
        break;
      case "workspaces":
        this.#roles.clear();
        this.#living.clear();
        this.#keys.clear();
        this.#parents.clear();
        break;
      default:
        return;
    }
    this.#changes.raise();
    this.#followed = this.#changes.value;
  }

  /** Forgets everything after a change by another thread, which does not name the entry. */
  #follow(): void {
    const { value } = this.#changes;
    if (value === this.#followed) return;
    this.#followed = value;
    this.#roles.clear();
    this.#users.clear();
    this.#living.clear();
    this.#keys.clear();
    this.#parents.clear();
  }

  async #load<Value>(
    entries: RecentMap<string, Kept<Value>>,
    key: string,
    read: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const before = this.#changes.value;
    const value = await read();
    if (before === this.#changes.value) entries.set(key, { value });
    return value;
  }
}

function heldRole({ role, role_key: key, permissions }: AccessRow): HeldRole {
  const base = storedRole(role);
  if (key === null || permissions === null) {
    return { role: base, name: base, permissions: undefined };
  }
  return { role: base, name: key, permissions: new Set(JSON.parse(permissions) as string[]) };
}

import type { Role } from "#contract/access/roles.ts";
import { ChangeCount } from "../../kit/change-count.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Reader } from "../../database/database.ts";
import { everySubject, type ChangeEvent } from "../../work/change-event.ts";
import type { ChangeFeed } from "../../work/change-feed.ts";
import type { HeldRole } from "../../work/caller.ts";
import type { PlatformWork } from "../../work/works.ts";
import { userByOid, type User, type UserCache } from "../identity/service.ts";
import { keyAccessOf, usableKey, type KeyRecord } from "./keys/store.ts";
import {
  accessOf,
  isAdminAnywhere,
  isLivingWorkspace,
  isMemberNear,
  parentOf,
  type AccessRow,
} from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

const maximumEntries = 20_000;

/** Undefined is kept too, for no membership and no such user. */
interface Kept<Value> {
  readonly value: Value | undefined;
}

/** Roles in workspaces and users by id, which every request needs, kept in memory. */
export class AccessService implements UserCache {
  readonly #roles = new RecentMap<string, Kept<HeldRole>>(maximumEntries);
  readonly #users = new RecentMap<string, Kept<User>>(maximumEntries);
  readonly #living = new RecentMap<string, Kept<boolean>>(maximumEntries);
  readonly #keys = new RecentMap<string, Kept<KeyRecord>>(maximumEntries);
  readonly #parents = new RecentMap<string, Kept<string>>(maximumEntries);
  /** A value that was read before a change must not be kept after it. */
  readonly #changes: ChangeCount;
  /** The last change whose stale entries are removed. */
  #followed: number;
  readonly #read: Reader;
  readonly #feed: ChangeFeed;

  constructor(options: {
    readonly platformWork: PlatformWork;
    readonly feed: ChangeFeed;
    readonly changes?: ChangeCount;
  }) {
    this.#read = options.platformWork("roles and users, which decide who may enter").read;
    this.#changes = options.changes ?? new ChangeCount();
    this.#followed = this.#changes.value;
    this.#feed = options.feed;
    this.#feed.listen({
      changed: (event) => this.#forget(event),
      missed: () => {
        this.#clear();
        this.#raise();
      },
    });
  }

  /** The role of a user or a key; undefined without access, or without such a workspace. */
  heldIn(workspaceId: string, oid: string): Promisable<HeldRole | undefined> {
    return this.#find(this.#roles, `${workspaceId}/${oid}`, async () => {
      const read = this.#read;
      const row =
        (await accessOf(read, workspaceId, oid)) ?? (await keyAccessOf(read, workspaceId, oid));
      return row === undefined ? undefined : heldRole(row);
    });
  }

  /**
   * The role with which work without a request may act for a user or a key; undefined also for a
   * disabled account, and for a key that is revoked or has expired.
   */
  async actingIn(workspaceId: string, oid: string, at: Date): Promise<HeldRole | undefined> {
    const held = await this.heldIn(workspaceId, oid);
    if (held === undefined) return undefined;
    const user = await this.user(oid);
    if (user !== undefined) return user.disabled_at === null ? held : undefined;
    const key = await this.key(oid);
    if (key === undefined) return undefined;
    return key.expires_at === null || key.expires_at > at.toISOString() ? held : undefined;
  }

  /** The role in a workspace that may be deleted, but is not purged yet. */
  async heldInDeletedToo(workspaceId: string, oid: string): Promise<HeldRole | undefined> {
    const row = await accessOf(this.#read, workspaceId, oid, { isDeletedToo: true });
    return row === undefined ? undefined : heldRole(row);
  }

  /** True if the workspace exists and is not deleted. */
  isLiving(workspaceId: string): Promisable<boolean> {
    const known = this.#find(this.#living, workspaceId, () =>
      isLivingWorkspace(this.#read, workspaceId),
    );
    return chained(known, (value) => value === true);
  }

  /** True if a workspace that is not deleted is a child of another one. */
  isChildOf(workspaceId: string, parentId: string): Promisable<boolean> {
    const known = this.#find(this.#parents, workspaceId, () => parentOf(this.#read, workspaceId));
    return chained(known, (value) => value === parentId);
  }

  /** The base role, or the highest one that a workspace-defined role includes. */
  roleIn(workspaceId: string, oid: string): Promisable<Role | undefined> {
    return chained(this.heldIn(workspaceId, oid), (held) => held?.role);
  }

  /** True if the user is an active admin of any workspace. */
  isAdminAnywhere(oid: string): Promise<boolean> {
    return isAdminAnywhere(this.#read, oid);
  }

  /** True if the user is a member of a workspace or of one of its children. */
  isMemberNear(workspaceId: string, oid: string): Promise<boolean> {
    return isMemberNear(this.#read, workspaceId, oid);
  }

  user(oid: string): Promisable<User | undefined> {
    return this.#find(this.#users, oid, () => userByOid(this.#read, oid));
  }

  /** The key of a service account; undefined for one that is revoked. It may have expired. */
  key(id: string): Promisable<KeyRecord | undefined> {
    return this.#find(this.#keys, id, () => usableKey(this.#read, { id }));
  }

  /** Removes what a change names, in all threads: the others follow the count. */
  #forget({ kind, workspaceId, subject }: ChangeEvent): void {
    const isAll = subject === everySubject;
    switch (kind) {
      case "member":
        if (isAll) this.#roles.clear();
        else this.#roles.delete(`${workspaceId}/${subject}`);
        break;
      case "role":
        this.#roles.deleteWhere((_role, key) => key.startsWith(`${workspaceId}/`));
        break;
      case "user":
        if (isAll) this.#users.clear();
        else this.#users.delete(subject);
        break;
      case "key":
        this.#keys.clear();
        this.#roles.clear();
        break;
      case "workspace":
        this.#clear();
        break;
      default:
        return;
    }
    this.#raise();
  }

  #raise(): void {
    this.#changes.raise();
    this.#followed = this.#changes.value;
  }

  /** Forgets everything after a change by another thread, which does not name the entry. */
  #follow(): void {
    const { value } = this.#changes;
    if (value === this.#followed) return;
    this.#followed = value;
    this.#clear();
  }

  #clear(): void {
    this.#roles.clear();
    this.#users.clear();
    this.#living.clear();
    this.#keys.clear();
    this.#parents.clear();
  }

  #find<Value>(
    entries: RecentMap<string, Kept<Value>>,
    key: string,
    read: () => Promise<Value | undefined>,
  ): Promisable<Value | undefined> {
    if (this.#feed.isCurrent) return this.#keptOr(entries, key, read);
    return this.#feed.catchUp().then(() => this.#keptOr(entries, key, read));
  }

  #keptOr<Value>(
    entries: RecentMap<string, Kept<Value>>,
    key: string,
    read: () => Promise<Value | undefined>,
  ): Promisable<Value | undefined> {
    this.#follow();
    const kept = entries.get(key);
    return kept === undefined ? this.#load(entries, key, read) : kept.value;
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

import { roles, type Role } from "#contract/roles.ts";
import { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import type { Database } from "../../database/database.ts";
import { userByOid, type User, type UserCache } from "../identity/service.ts";
import { roleOf } from "./store.ts";

const maximumEntries = 20_000;
/**
 * The age at which an entry is read again, for changes by another process on the same PostgreSQL. A
 * change by this process removes the entry at once, in each of its threads.
 */
const maximumAgeMs = 5_000;

interface Kept<Value> {
  readonly value: Value;
  readonly endsAt: number;
}

/** Roles in workspaces and users by id, which every request needs, kept in memory. */
export class AccessService implements UserCache {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #roles = new Map<string, Kept<Role | undefined>>();
  readonly #users = new Map<string, Kept<User | undefined>>();
  /** A value that was read before a change must not be kept after it. */
  readonly #changes: ChangeCount;
  /** The last change whose stale entries are removed. */
  #followed: number;

  constructor(options: { database: Database; now: () => Date; changes?: ChangeCount }) {
    this.#database = options.database;
    this.#changes = options.changes ?? new ChangeCount();
    this.#followed = this.#changes.value;
    this.#now = () => options.now().getTime();
  }

  /** The user's role; undefined without a membership, or without such a workspace. */
  roleIn(workspaceId: string, oid: string): Promisable<Role | undefined> {
    this.#follow();
    const key = `${workspaceId}/${oid}`;
    const kept = this.#roles.get(key);
    if (kept !== undefined && kept.endsAt > this.#now()) return kept.value;
    return this.#loadRole(key, workspaceId, oid);
  }

  user(oid: string): Promisable<User | undefined> {
    this.#follow();
    const kept = this.#users.get(oid);
    if (kept !== undefined && kept.endsAt > this.#now()) return kept.value;
    return this.#loadUser(oid);
  }

  /** Call it after a change of the member's role, before the response. */
  forgetMember(workspaceId: string, oid: string): void {
    this.#roles.delete(`${workspaceId}/${oid}`);
    this.#noteChange();
  }

  forgetUser(oid: string): void {
    this.#users.delete(oid);
    this.#noteChange();
  }

  /** Call it once this thread has removed its own stale entry. */
  #noteChange(): void {
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
  }

  async #loadRole(key: string, workspaceId: string, oid: string): Promise<Role | undefined> {
    const before = this.#changes.value;
    const text = await roleOf(this.#database.read, workspaceId, oid);
    const role = roles.find((known) => known === text);
    if (before === this.#changes.value) this.#keep(this.#roles, key, role);
    return role;
  }

  async #loadUser(oid: string): Promise<User | undefined> {
    const before = this.#changes.value;
    const user = await userByOid(this.#database.read, oid);
    if (before === this.#changes.value) this.#keep(this.#users, oid, user);
    return user;
  }

  #keep<Value>(map: Map<string, Kept<Value>>, key: string, value: Value): void {
    map.delete(key);
    map.set(key, { value, endsAt: this.#now() + maximumAgeMs });
    if (map.size <= maximumEntries) return;
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
}

import { roles, type Role } from "#contract/roles.ts";
import { ChangeCount } from "../../kit/change-count.ts";
import type { Promisable } from "../../kit/promisable.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Database } from "../../database/database.ts";
import { userByOid, type User } from "../identity/store.ts";
import { roleOf } from "./store.ts";

const maximumEntries = 20_000;
/**
 * How long an answer is trusted. What this process changes is forgotten at once, in each of its
 * threads; the time is for another platform process on the same PostgreSQL.
 */
const trustedMs = 5_000;

/** Undefined is an answer too: a stranger, or no such user. */
interface Kept<Value> {
  readonly value: Value | undefined;
}

/**
 * Who may do what, asked by every request: roles in workspaces and users by id, kept in memory. Keys
 * are ids, so no entry of one workspace can answer for another.
 */
export class AccessService {
  readonly #database: Database;
  readonly #roles: RecentMap<string, Kept<Role>>;
  readonly #users: RecentMap<string, Kept<User>>;
  /** What was read before one must not be kept after it. */
  readonly #changes: ChangeCount;
  /** The last change after which nothing is kept that it has made wrong. */
  #followed: number;

  constructor(options: { database: Database; now: () => Date; changes?: ChangeCount }) {
    this.#database = options.database;
    this.#changes = options.changes ?? new ChangeCount();
    this.#followed = this.#changes.value;
    const expiry = { lifeMs: trustedMs, now: () => options.now().getTime() };
    this.#roles = new RecentMap(maximumEntries, expiry);
    this.#users = new RecentMap(maximumEntries, expiry);
  }

  /** The user's role there; undefined for a stranger and for a workspace that does not exist. */
  roleIn(workspaceId: string, oid: string): Promisable<Role | undefined> {
    this.#follow();
    const key = `${workspaceId}/${oid}`;
    const kept = this.#roles.get(key);
    return kept === undefined ? this.#loadRole(key, workspaceId, oid) : kept.value;
  }

  user(oid: string): Promisable<User | undefined> {
    this.#follow();
    const kept = this.#users.get(oid);
    return kept === undefined ? this.#loadUser(oid) : kept.value;
  }

  /** After a change of the member's role, before the change is answered. */
  forgetMember(workspaceId: string, oid: string): void {
    this.#roles.delete(`${workspaceId}/${oid}`);
    this.#noteChange();
  }

  forgetUser(oid: string): void {
    this.#users.delete(oid);
    this.#noteChange();
  }

  /** Called when this very thread has let go of what it knew of the change. */
  #noteChange(): void {
    this.#changes.raise();
    this.#followed = this.#changes.value;
  }

  /** Forgets everything after a change that another thread has made: which one it was is not said. */
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
    if (before === this.#changes.value) this.#roles.set(key, { value: role });
    return role;
  }

  async #loadUser(oid: string): Promise<User | undefined> {
    const before = this.#changes.value;
    const user = await userByOid(this.#database.read, oid);
    if (before === this.#changes.value) this.#users.set(oid, { value: user });
    return user;
  }
}

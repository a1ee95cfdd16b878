import { roles, type Role } from "#contract/roles.ts";
import type { Promisable } from "#lib/promisable.ts";
import type { Database } from "../stores/database.ts";
import { userByOid, type User } from "../stores/identity.ts";
import { roleOf } from "../stores/workspaces.ts";

const maximumEntries = 20_000;
/**
 * How long an answer is trusted. What this process changes is forgotten at once; the time is for
 * another platform process on the same PostgreSQL.
 */
const trustedMs = 5_000;

interface Kept<Value> {
  readonly value: Value;
  readonly endsAt: number;
}

/**
 * Who may do what, asked by every request: roles in workspaces and users by id, kept in memory. Keys
 * are ids, so no entry of one workspace can answer for another.
 */
export class AccessService {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #roles = new Map<string, Kept<Role | undefined>>();
  readonly #users = new Map<string, Kept<User | undefined>>();
  /** Counts changes: what was read before one must not be kept after it. */
  #changes = 0;

  constructor(options: { database: Database; now: () => Date }) {
    this.#database = options.database;
    this.#now = () => options.now().getTime();
  }

  /** The user's role there; undefined for a stranger and for a workspace that does not exist. */
  roleIn(workspaceId: string, oid: string): Promisable<Role | undefined> {
    const key = `${workspaceId}/${oid}`;
    const kept = this.#roles.get(key);
    if (kept !== undefined && kept.endsAt > this.#now()) return kept.value;
    return this.#loadRole(key, workspaceId, oid);
  }

  user(oid: string): Promisable<User | undefined> {
    const kept = this.#users.get(oid);
    if (kept !== undefined && kept.endsAt > this.#now()) return kept.value;
    return this.#loadUser(oid);
  }

  /** After a change of the member's role, before the change is answered. */
  forgetMember(workspaceId: string, oid: string): void {
    this.#changes += 1;
    this.#roles.delete(`${workspaceId}/${oid}`);
  }

  forgetUser(oid: string): void {
    this.#changes += 1;
    this.#users.delete(oid);
  }

  async #loadRole(key: string, workspaceId: string, oid: string): Promise<Role | undefined> {
    const changes = this.#changes;
    const text = await roleOf(this.#database.read, workspaceId, oid);
    const role = roles.find((known) => known === text);
    if (changes === this.#changes) this.#keep(this.#roles, key, role);
    return role;
  }

  async #loadUser(oid: string): Promise<User | undefined> {
    const changes = this.#changes;
    const user = await userByOid(this.#database.read, oid);
    if (changes === this.#changes) this.#keep(this.#users, oid, user);
    return user;
  }

  #keep<Value>(map: Map<string, Kept<Value>>, key: string, value: Value): void {
    map.delete(key);
    map.set(key, { value, endsAt: this.#now() + trustedMs });
    if (map.size <= maximumEntries) return;
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
}
